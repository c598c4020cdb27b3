// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grade/class_groups.h"
#include "grade/grade.h"

namespace tilestep::grade {

/// What was found of each hand-in and the groups that follow from it, as JSON. A grading that is
/// continued takes what was found from there, because the CSV file does not keep it.
[[nodiscard]] std::string toClassJson(const std::vector<Grade>& grades, const RunFacts& facts);

/// Whether a text is one of toClassJson().
[[nodiscard]] bool isClassJson(std::string_view text);

/// What such a file says was found. A value.
class FoundBefore {
 public:
  FoundBefore() = default;
  /// Nothing of a text that is something else, or that another version of Tilestep wrote.
  FoundBefore(std::string_view text, const std::string& version);

  /// Of the same file with the same verdict and marks; nothing: it is not known.
  [[nodiscard]] std::optional<std::vector<Trouble>> of(const Grade& grade) const;

 private:
  struct Entry {
    std::string hash, verdict;
    std::optional<double> marks;
    std::vector<Trouble> troubles;
  };
  std::map<std::string, Entry> byPage_;  ///< An id may be no UTF-8, which JSON needs.
};

}  // namespace tilestep::grade
