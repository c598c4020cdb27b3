// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tilestep::compile {

/// Collects the words of a source, to determine whether its macros could form certain names with
/// ##. Macros are not expanded, so possible() may return too many names, but it misses none.
class PastedNames {
 public:
  /// The strings of `names` must outlive this object.
  explicit PastedNames(std::set<std::string_view> names) : names_(std::move(names)) {}

  void add(std::string_view word);
  /// A name that can be formed by concatenating two or more of the words; empty if there is none.
  [[nodiscard]] std::string_view possible() const;

 private:
  std::set<std::string_view> names_;
  std::set<std::string, std::less<>> parts_;
};

}  // namespace tilestep::compile
