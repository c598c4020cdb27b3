// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tilestep::device {

/// One quantity that was measured several times, under a name of its own: what no other part of a
/// result has a place for. All numbers are in `unit`.
struct NamedValue {
  static constexpr size_t kMost = 64;  ///< Values of one result.

  std::string id;      ///< "events": lower-case letters, digits and '-'; each once in a result.
  std::string unit;    ///< "s"; empty for a plain number.
  uint64_t count = 0;  ///< Samples that min to p90 are of, without `first`.
  double min = 0, p10 = 0, median = 0, p90 = 0;
  double first = 0;    ///< The sample before all others, which is kept apart.
  std::string method;  ///< How it was measured, in a sentence.
  bool operator==(const NamedValue&) const = default;
};

/// The value of that id; nullptr where there is none.
[[nodiscard]] const NamedValue* find(const std::vector<NamedValue>& values, const std::string& id);

}  // namespace tilestep::device
