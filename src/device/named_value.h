// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilestep::device {

/// One quantity measured several times, identified by its own name. Used for quantities for which a
/// result has no field. All numbers are in `unit`.
struct NamedValue {
  static constexpr size_t kMost = 64;  ///< The most values per result.

  std::string id;      ///< "events": lower-case letters, digits and '-'; unique within a result.
  std::string unit;    ///< "s"; empty for a plain number.
  uint64_t count = 0;  ///< Number of samples behind min to p90; `first` is not counted.
  double min = 0, p10 = 0, median = 0, p90 = 0;
  double first = 0;    ///< The first sample, kept separate.
  std::string method;  ///< How it was measured, in a sentence.
  bool operator==(const NamedValue&) const = default;
};

/// The value with that id; nullptr if there is none.
[[nodiscard]] const NamedValue* find(const std::vector<NamedValue>& values, const std::string& id);

}  // namespace tilestep::device
