// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// The names that course systems give to what students hand in.
namespace tilestep::grade {

/// The id of whose file it is, the NUMBER of Moodle's NAME_NUMBER_assignsubmission_file_..., in the
/// file's name or a folder's.
[[nodiscard]] std::optional<std::string> moodleOwner(const std::filesystem::path& file);

/// The same, the USER of Canvas' name[_LATE]_USER_SUBMISSION_FILE.
[[nodiscard]] std::optional<std::string> canvasOwner(const std::filesystem::path& file);

/// What GitHub Classroom puts before each login: "tiles-" in a folder "tiles-submissions". Empty:
/// the folder is none of GitHub Classroom's.
[[nodiscard]] std::string classroomPrefix(const std::string& folder);

}  // namespace tilestep::grade
