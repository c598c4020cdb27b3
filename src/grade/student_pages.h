// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.h"
#include "grade/grade.h"

namespace tilestep::grade {

/// The folder that holds a page for each student. A value; without a folder it does nothing.
class StudentPages {
 public:
  StudentPages() = default;
  /// Errors: kind request, for a file in the folder's place, and for a folder in which submissions
  /// are looked for, where a page would look like one at the next run.
  static Result<StudentPages> in(const std::string& folder, const std::vector<std::string>& places);

  /// Whether the student's page is missing, or is one of another file, with other marks or for
  /// another assignment.
  [[nodiscard]] bool lacks(const Grade& grade, const RunFacts& facts) const;
  Status write(const Grade& grade, const RunFacts& facts) const;

 private:
  [[nodiscard]] std::filesystem::path pageOf(const std::string& id) const;

  std::filesystem::path folder_;
};

}  // namespace tilestep::grade
