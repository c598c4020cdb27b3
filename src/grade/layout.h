// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// The names that course systems give to what students hand in.
namespace tilestep::grade {

/// Whose a folder is: the NUMBER of Moodle's NAME_NUMBER_assignsubmission_file_. What a student's
/// own name holds stands before it, so the last such number counts.
[[nodiscard]] std::optional<std::string> moodleOwner(const std::string& folder);

/// What the name of a file without a folder says.
struct FileName {
  /// The student's number; empty: more than one of the numbers may be it, as where the student's
  /// name ends in one ("eve_1002") or the file's begins with one.
  std::string owner;
  std::string called;  ///< What the student called it, with Canvas' number of a later version.
  bool isCanvas = false;
};

/// Reads Moodle's NAME_NUMBER_assignsubmission_file_FILE and Canvas'
/// name[_LATE]_USER_SUBMISSION_FILE, where SUBMISSION has five digits at least. Both what stands
/// before and what comes last may imitate them: with two numbers of one system, it is not clear
/// whose the file is.
[[nodiscard]] std::optional<FileName> fileNameOf(const std::string& name);

/// Whether a file that a course system may have renamed was called `wanted`: "tiles.cu" itself,
/// with Moodle's or Canvas' words before it, or with Canvas' number of a later version,
/// "tiles-1.cu". Where it is not clear what is the student's part, its end decides.
[[nodiscard]] bool wasCalled(const std::string& name, const std::string& wanted);

/// What GitHub Classroom puts before each login: "tiles-" in a folder "tiles-submissions". Empty:
/// the folder is none of GitHub Classroom's.
[[nodiscard]] std::string classroomPrefix(const std::string& folder);

}  // namespace tilestep::grade
