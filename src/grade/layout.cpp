// SPDX-License-Identifier: Apache-2.0
#include "grade/layout.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tilestep::grade {
namespace {

constexpr std::string_view kMoodle = "_assignsubmission_file_";

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::optional<std::string> moodleName(const std::string& name) {
  // A file's own name may hold the words again, so the first ones count.
  const size_t at = name.find(kMoodle);
  if (at == std::string::npos) return std::nullopt;
  const std::string before = name.substr(0, at);
  const size_t dash = before.rfind('_');
  if (dash == std::string::npos || !isNumber(before.substr(dash + 1))) return std::nullopt;
  return before.substr(dash + 1);
}

std::vector<std::string> partsOf(const std::string& name) {
  std::vector<std::string> parts;
  size_t from = 0;
  for (size_t at = name.find('_'); at != std::string::npos; at = name.find('_', from)) {
    parts.push_back(name.substr(from, at - from));
    from = at + 1;
  }
  parts.push_back(name.substr(from));
  return parts;
}

}  // namespace

std::optional<std::string> moodleOwner(const std::filesystem::path& file) {
  // The outermost name is Moodle's own; those within are the student's.
  for (const std::filesystem::path& part : file)
    if (auto owner = moodleName(part.string())) return owner;
  return std::nullopt;
}

std::optional<std::string> canvasOwner(const std::filesystem::path& file) {
  const std::vector<std::string> parts = partsOf(file.filename().string());
  const bool late = parts.size() > 1 && (parts[1] == "LATE" || parts[1] == "late");
  const size_t user = late ? 2 : 1;
  if (parts.size() < user + 3 || parts[0].empty()) return std::nullopt;
  if (!isNumber(parts[user]) || !isNumber(parts[user + 1])) return std::nullopt;
  return parts[user];
}

std::string classroomPrefix(const std::string& folder) {
  constexpr std::string_view kEnd = "-submissions";
  if (folder.size() <= kEnd.size() || !folder.ends_with(kEnd)) return {};
  return folder.substr(0, folder.size() - kEnd.size() + 1);
}

}  // namespace tilestep::grade
