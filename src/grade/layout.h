// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// The names that course systems give to what students hand in.
namespace tilestep::grade {

/// Whose file this is, by the names in its path.
struct Owner {
  std::string id;
  std::string who;  ///< What the name says besides, for people; may be empty.
};

/// Moodle's NAME_NUMBER_assignsubmission_file_..., in the file's name or a folder's.
[[nodiscard]] std::optional<Owner> moodleOwner(const std::filesystem::path& file);

/// Canvas' name[_LATE]_USER_SUBMISSION_FILE.
[[nodiscard]] std::optional<Owner> canvasOwner(const std::filesystem::path& file);

/// What GitHub Classroom puts before each login: "tiles-" in a folder "tiles-submissions". Empty:
/// the folder is none of GitHub Classroom's.
[[nodiscard]] std::string classroomPrefix(const std::string& folder);

}  // namespace tilestep::grade
