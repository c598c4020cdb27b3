// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace tilestep::compile {

/// Collects the words of a text, to determine whether its macros could form certain names with ##.
/// Macros are not expanded, so a negative answer is always correct, and a positive one may be
/// wrong.
class PastedNames {
 public:
  /// Only words that are a part of one of `names` are kept. The views must outlive this.
  explicit PastedNames(std::set<std::string_view> names) : names_(std::move(names)) {}

  void add(std::string_view word);
  /// One of the names that two or more of the words form when concatenated; empty: none.
  [[nodiscard]] std::string_view possible() const;

 private:
  std::set<std::string_view> names_;
  std::set<std::string, std::less<>> parts_;
};

}  // namespace tilestep::compile
