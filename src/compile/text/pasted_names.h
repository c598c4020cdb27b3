// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tilestep::compile {

/// Collects the words of a text, to tell whether its macros could put certain names together with
/// ##. What macros really do is not worked out, so that the answer "no" is always right.
class PastedNames {
 public:
  /// Words that are no part of any of `names` are not kept. The views must outlive this.
  explicit PastedNames(std::set<std::string_view> names) : names_(std::move(names)) {}

  void add(std::string_view word);
  /// One of the names that two or more of the words give, one behind the other; empty: none.
  [[nodiscard]] std::string_view possible() const;

 private:
  std::set<std::string_view> names_;
  std::set<std::string, std::less<>> parts_;
};

}  // namespace tilestep::compile
