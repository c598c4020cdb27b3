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

/// The troubles of each hand-in and their groups, as JSON. A continued grading reads the troubles
/// from this file, because the CSV file does not contain them.
[[nodiscard]] std::string toClassJson(const std::vector<Grade>& grades, const RunFacts& facts);

/// Whether the text looks like output of toClassJson().
[[nodiscard]] bool isClassJson(std::string_view text);

/// The troubles in output of toClassJson(). A value.
class FoundBefore {
 public:
  FoundBefore() = default;
  /// Empty if the text is not output of toClassJson(), or if another version of Tilestep wrote it.
  FoundBefore(std::string_view text, const std::string& version);

  /// The troubles of the same file with the same verdict and marks; absent if not known.
  [[nodiscard]] std::optional<std::vector<Trouble>> of(const Grade& grade) const;

 private:
  struct Entry {
    std::string hash, verdict;
    std::optional<double> marks;
    std::vector<Trouble> troubles;
  };
  /// Pages identify hand-ins, because JSON requires UTF-8, which ids may not be.
  std::map<std::string, Entry> byPage_;
};

}  // namespace tilestep::grade
