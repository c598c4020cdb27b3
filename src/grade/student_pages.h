// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/class_file.h"
#include "grade/grade.h"

namespace tilestep::grade {

/// The folder that holds a page for each student, the class's page, and what was found, in
/// class.json. A value; without a folder it does nothing.
class StudentPages {
 public:
  StudentPages() = default;
  /// Errors: kind request, for a file in the folder's place, and for a folder in which submissions
  /// are looked for, where a page would look like one at the next run.
  static Result<StudentPages> in(const std::string& folder, const std::vector<std::string>& places);

  /// What class.json says was found, if this version wrote it.
  [[nodiscard]] FoundBefore foundBefore(const std::string& version) const;

  /// Whether it is not known what was found, or the student's page is missing, or is one of another
  /// file, with other marks or for another assignment.
  [[nodiscard]] bool lacks(const Grade& grade, const RunFacts& facts) const;
  Status write(const Grade& grade, const RunFacts& facts) const;
  /// Keeps what was found of a class, for a grading that is continued.
  Status writeFound(const std::vector<Grade>& grades, const RunFacts& facts) const;
  /// Writes the class's page.
  Status writeClass(const std::vector<Grade>& grades, const RunFacts& facts) const;

 private:
  [[nodiscard]] std::filesystem::path pageOf(const std::string& id) const;
  [[nodiscard]] Status writePage(const std::filesystem::path& path, const std::string& page) const;

  std::filesystem::path folder_;
};

}  // namespace tilestep::grade
