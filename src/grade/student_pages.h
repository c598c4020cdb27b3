// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/class_file.h"
#include "grade/grade.h"

namespace tilestep::grade {

/// The folder of the students' pages, the class's page, and class.json, which contains all
/// troubles. A value. Without a folder it does nothing.
class StudentPages {
 public:
  StudentPages() = default;
  /// Errors, of kind request: the path is a file, or the folder is inside a folder of submissions.
  static Result<StudentPages> in(const std::string& folder, const std::vector<std::string>& places);

  /// The troubles in class.json, if this version of Tilestep wrote it.
  [[nodiscard]] FoundBefore foundBefore(const std::string& version) const;

  /// Whether the grade's troubles are not known, or the student's page is missing or belongs to
  /// another file, other marks or another assignment.
  [[nodiscard]] bool lacks(const Grade& grade, const RunFacts& facts) const;
  Status write(const Grade& grade, const RunFacts& facts) const;
  /// Writes class.json, from which a later grading continues.
  Status writeFound(const std::vector<Grade>& grades, const RunFacts& facts) const;
  Status writeClass(const std::vector<Grade>& grades, const RunFacts& facts) const;

 private:
  [[nodiscard]] std::filesystem::path pageOf(const std::string& id) const;
  [[nodiscard]] Status writePage(const std::filesystem::path& path, const std::string& page) const;

  std::filesystem::path folder_;
};

}  // namespace tilestep::grade
