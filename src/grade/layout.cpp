// SPDX-License-Identifier: Apache-2.0
#include "grade/layout.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace tilestep::grade {
namespace {

/// Behind a student's name and number in Moodle's, before the kind of what was handed in.
constexpr std::string_view kMoodle = "_assignsubmission_";
constexpr std::string_view kMoodleKinds[] = {"file", "onlinetext"};

bool isNumber(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
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

std::optional<std::string> moodleOwner(const std::string& name) {
  // A student's part of the name may hold the words again, so the first ones count.
  const size_t at = name.find(kMoodle);
  if (at == std::string::npos) return std::nullopt;
  const std::string behind = name.substr(at + kMoodle.size());
  const bool isKnown = std::ranges::any_of(kMoodleKinds, [&](std::string_view kind) {
    return behind == kind || behind.starts_with(std::string(kind) + "_");
  });
  if (!isKnown) return std::nullopt;
  const std::string before = name.substr(0, at);
  const size_t dash = before.rfind('_');
  if (dash == std::string::npos || !isNumber(before.substr(dash + 1))) return std::nullopt;
  return before.substr(dash + 1);
}

std::optional<std::string> canvasOwner(const std::string& name) {
  const std::vector<std::string> parts = partsOf(name);
  std::optional<std::string> owner;
  for (size_t user = 1; user + 2 < parts.size(); ++user) {
    if (!isNumber(parts[user]) || !isNumber(parts[user + 1])) continue;
    if (owner) return std::string();
    owner = parts[user];
  }
  return owner;
}

bool wasCalled(const std::string& name, const std::string& wanted) {
  if (name == wanted) return true;
  const bool isCanvas = canvasOwner(name).has_value();
  if (!isCanvas && !moodleOwner(name)) return false;
  if (name.ends_with("_" + wanted)) return true;
  const size_t dot = wanted.rfind('.');
  const std::string stem = wanted.substr(0, dot), end = wanted.substr(std::min(dot, wanted.size()));
  if (!isCanvas || !name.ends_with(end)) return false;
  const std::string start = name.substr(0, name.size() - end.size());
  const size_t dash = start.rfind('-');
  return dash != std::string::npos && isNumber(std::string_view(start).substr(dash + 1)) &&
         start.substr(0, dash).ends_with("_" + stem);
}

std::string classroomPrefix(const std::string& folder) {
  constexpr std::string_view kEnd = "-submissions";
  if (folder.size() <= kEnd.size() || !folder.ends_with(kEnd)) return {};
  return folder.substr(0, folder.size() - kEnd.size() + 1);
}

}  // namespace tilestep::grade
