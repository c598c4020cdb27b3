// SPDX-License-Identifier: Apache-2.0
#include "grade/layout.h"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "base/number_text.h"

namespace tilestep::grade {
namespace {

/// Behind a student's name and number in Moodle's, before the kind of what was handed in.
constexpr std::string_view kMoodle = "_assignsubmission_";
constexpr std::string_view kMoodleKinds[] = {"file", "onlinetext"};

/// The digits that begin at a place of the name.
std::string numberAt(const std::string& name, size_t at) {
  const auto begin = name.begin() + static_cast<std::ptrdiff_t>(at);
  return {begin, std::find_if_not(begin, name.end(), isDigit)};
}

/// Whether a whole part of the name, with "_" on both sides, is the number that begins here.
bool isNumberAt(const std::string& name, size_t at) {
  if (at == 0 || at >= name.size() || name[at - 1] != '_') return false;
  const size_t end = at + numberAt(name, at).size();
  return end > at && end < name.size() && name[end] == '_';
}

struct MoodleName {
  std::string owner, file;
  size_t number = 0;  ///< Where the owner's begins.
};

/// Each place of the name at which Moodle's words stand behind a number. A student's own name or
/// that of the file may hold them again.
std::vector<MoodleName> moodleNamesOf(const std::string& name) {
  std::vector<MoodleName> names;
  for (size_t at = name.find(kMoodle); at != std::string::npos; at = name.find(kMoodle, at + 1)) {
    const std::string behind = name.substr(at + kMoodle.size());
    const size_t dash = name.substr(0, at).rfind('_');
    if (dash == std::string::npos || !isNumberAt(name, dash + 1)) continue;
    for (const std::string_view kind : kMoodleKinds) {
      if (behind != kind && !behind.starts_with(std::string(kind) + "_")) continue;
      const std::string file = behind.substr(std::min(kind.size() + 1, behind.size()));
      names.push_back({numberAt(name, dash + 1), file, dash + 1});
      break;
    }
  }
  return names;
}

/// Where the first of two numbers begins that Canvas may have written. It counts all submissions of
/// a school, so that of a submission is no exercise, month or year of "ex_3_2_tiles.cu".
std::vector<size_t> canvasUsers(const std::string& name) {
  constexpr size_t kLeastDigits = 5;
  std::vector<size_t> users;
  for (size_t at = 1; at < name.size(); ++at) {
    if (!isNumberAt(name, at)) continue;
    const size_t submission = at + numberAt(name, at).size() + 1;
    if (isNumberAt(name, submission) && numberAt(name, submission).size() >= kLeastDigits)
      users.push_back(at);
  }
  return users;
}

/// "tiles.cu" of Canvas' "tiles-1.cu"; the same name where it has no such number.
std::string withoutVersion(const std::string& name) {
  const size_t dot = std::min(name.rfind('.'), name.size());
  const size_t dash = name.substr(0, dot).rfind('-');
  if (dash == std::string::npos || dash + 1 == dot) return name;
  if (dash + 1 + numberAt(name, dash + 1).size() != dot) return name;
  return name.substr(0, dash) + name.substr(dot);
}

}  // namespace

std::optional<std::string> moodleOwner(const std::string& folder) {
  const std::vector<MoodleName> names = moodleNamesOf(folder);
  return names.empty() ? std::nullopt : std::optional(names.back().owner);
}

std::optional<FileName> fileNameOf(const std::string& name) {
  const std::vector<MoodleName> moodle = moodleNamesOf(name);
  const std::vector<size_t> users = canvasUsers(name);
  if (users.empty() && moodle.empty()) return std::nullopt;
  if (!moodle.empty() && (users.empty() || moodle.front().number < users.front())) {
    if (moodle.size() > 1) return FileName{{}, name, false};
    return FileName{moodle.front().owner, moodle.front().file, false};
  }
  // Of the two numbers before Moodle's words, the second may be Moodle's.
  const bool meets = !moodle.empty() && numberAt(name, users.front()).size() + users.front() + 1 ==
                                            moodle.front().number;
  if (users.size() > 1 || meets) return FileName{{}, name, true};
  const std::string owner = numberAt(name, users.front());
  const size_t submission = users.front() + owner.size() + 1;
  return FileName{owner, name.substr(submission + numberAt(name, submission).size() + 1), true};
}

bool wasCalled(const std::string& name, const std::string& wanted) {
  if (name == wanted) return true;
  const std::optional<FileName> file = fileNameOf(name);
  if (!file) return false;
  const auto isWanted = [&](const std::string& called) {
    return file->owner.empty() ? called.ends_with("_" + wanted) : called == wanted;
  };
  return isWanted(file->called) || (file->isCanvas && isWanted(withoutVersion(file->called)));
}

std::string classroomPrefix(const std::string& folder) {
  constexpr std::string_view kEnd = "-submissions";
  if (folder.size() <= kEnd.size() || !folder.ends_with(kEnd)) return {};
  return folder.substr(0, folder.size() - kEnd.size() + 1);
}

}  // namespace tilestep::grade
