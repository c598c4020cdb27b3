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

/// The troubles of each hand-in and the groups of them, as JSON. A grading that is continued reads
/// the troubles from there, because the CSV file does not keep them.
[[nodiscard]] std::string toClassJson(const std::vector<Grade>& grades, const RunFacts& facts);

/// Whether toClassJson() may have written the text.
[[nodiscard]] bool isClassJson(std::string_view text);

/// The troubles that such a file holds. A value.
class FoundBefore {
 public:
  FoundBefore() = default;
  /// Empty for any other text, and for that of another version of Tilestep.
  FoundBefore(std::string_view text, const std::string& version);

  /// The troubles of the same file with the same verdict and marks; nothing: they are not known.
  [[nodiscard]] std::optional<std::vector<Trouble>> of(const Grade& grade) const;

 private:
  struct Entry {
    std::string hash, verdict;
    std::optional<double> marks;
    std::vector<Trouble> troubles;
  };
  std::map<std::string, Entry> byPage_;  ///< JSON needs UTF-8, which ids may not be.
};

}  // namespace tilestep::grade
