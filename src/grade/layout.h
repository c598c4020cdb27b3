// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

/// The names that course systems give to what students hand in.
namespace tilestep::grade {

/// The id of whose file or folder it is, the NUMBER of Moodle's NAME_NUMBER_assignsubmission_file_
/// or NAME_NUMBER_assignsubmission_file_FILE.
[[nodiscard]] std::optional<std::string> moodleOwner(const std::string& name);

/// The same, the USER of Canvas' name[_LATE]_USER_SUBMISSION_FILE. Empty: more than one of its
/// numbers may be the user's, as where the student's name ends in one ("eve_1002") or the file's
/// begins with one.
[[nodiscard]] std::optional<std::string> canvasOwner(const std::string& name);

/// Whether a file that a course system may have renamed was called `wanted`: "tiles.cu" itself,
/// with Moodle's or Canvas' words before it, or with Canvas' number of a later version,
/// "tiles-1.cu".
[[nodiscard]] bool wasCalled(const std::string& name, const std::string& wanted);

/// What GitHub Classroom puts before each login: "tiles-" in a folder "tiles-submissions". Empty:
/// the folder is none of GitHub Classroom's.
[[nodiscard]] std::string classroomPrefix(const std::string& folder);

}  // namespace tilestep::grade
