// SPDX-License-Identifier: Apache-2.0
#include "guard/kept.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "support/remake.h"
#include "support/source_root.h"

namespace tilestep::tests {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// The names of newly opened windows, with which a gesture's first look is compared ("from").
constexpr std::array<const char*, 2> kOpened{"opened-window", "opened-recording"};
constexpr size_t kMostLines = 12;  ///< Lines shown of a difference.

fs::path keptFile(const std::string& name) {
  return guardFolder() / "kept" / name;
}

std::optional<std::string> contentOf(const fs::path& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

json jsonOf(const fs::path& path) {
  const std::optional<std::string> text = contentOf(path);
  return text ? json::parse(*text, nullptr, false) : json();
}

/// The kept state of a newly opened window; null if it is missing.
json opened(const std::string& window) {
  return jsonOf(keptFile(window + ".json"));
}

/// The state as JSON, one line per field.
std::string fieldsOf(const json& state) {
  std::string text;
  for (const auto& [name, value] : state.items())
    text += (text.empty() ? "{\n" : ",\n") + json(name).dump() + ": " + value.dump();
  return text + "\n}\n";
}

std::string looksFile(const std::string& gesture) {
  return gesture + ".states.txt";
}

/// Adds a line for each field of `after` that differs from `before`. Names have no spaces.
void addChanges(std::string& lines, const std::string& path, const json& before,
                const json& after) {
  if (before == after) return;
  if (!before.is_object() || !after.is_object()) {
    lines += "= " + path + " " + after.dump() + "\n";
    return;
  }
  for (const auto& [name, value] : before.items())
    if (!after.contains(name)) lines += "- " + path + "/" + name + "\n";
  for (const auto& [name, value] : after.items()) {
    if (before.contains(name))
      addChanges(lines, path + "/" + name, before.at(name), value);
    else
      lines += "= " + path + "/" + name + " " + value.dump() + "\n";
  }
}

std::string changesOf(const json& before, const json& after) {
  std::string lines;
  addChanges(lines, "", before, after);
  return lines;
}

/// Applies a line of addChanges().
void change(json& state, const std::string& line) {
  const size_t end = std::min(line.find(' ', 2), line.size());
  const json::json_pointer where(line.substr(2, end - 2));
  if (line.front() == '=')
    state[where] = json::parse(line.substr(end));
  else
    state.at(where.parent_pointer()).erase(where.back());
}

std::string shortened(const std::string& text) {
  constexpr size_t kLongest = 160;
  return text.size() <= kLongest ? text : text.substr(0, kLongest) + "…";
}

/// The field at `pointer` as text; "(nothing)" if the state has no such field.
std::string at(const json& state, const std::string& pointer) {
  const json::json_pointer where(pointer);
  return state.contains(where) ? shortened(state.at(where).dump()) : "(nothing)";
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

fs::path guardFolder() {
  return fs::path(support::sourceRoot()) / "tests" / "guard";
}

std::vector<std::string> gestures() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(guardFolder() / "gestures"))
    if (entry.path().extension() == ".txt") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<Appearance> keptLooks(const std::string& gesture) {
  std::vector<Appearance> looks;
  std::ifstream file(keptFile(looksFile(gesture)));
  try {
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with("look ")) {
        change(looks.back().state, line);
        continue;
      }
      const size_t end = line.rfind(", from ");
      const std::string from = line.substr(end + 7);
      const bool isLook = from.starts_with("look ");
      looks.push_back({line.substr(5, end - 5),
                       isLook ? looks.at(std::stoul(from.substr(5)) - 1).state : opened(from)});
    }
  } catch (const std::exception&) {
    return {};
  }
  return looks;
}

void keepLooks(const std::string& gesture, const std::vector<Appearance>& looks) {
  fs::create_directories(guardFolder() / "kept");
  std::map<std::string, json> before;
  for (size_t i = 0; i < kOpened.size(); ++i) {
    const std::string window = kOpened.at(i);
    if (gesture == gestures().at(i))
      std::ofstream(keptFile(window + ".json")) << fieldsOf(looks.front().state);
    before[window] = opened(window);
  }
  std::ofstream file(keptFile(looksFile(gesture)));
  for (size_t i = 0; i < looks.size(); ++i) {
    std::string from, least;
    for (const auto& [name, state] : before) {
      std::string changes = changesOf(state, looks[i].state);
      if (!from.empty() && changes.size() >= least.size()) continue;
      least = std::move(changes);
      from = name;
    }
    file << "look " << looks[i].words << ", from " << from << "\n" << least;
    before["look " + std::to_string(i + 1)] = looks[i].state;
  }
}

std::string differencesOf(const json& kept, const json& now) {
  std::string lines;
  std::set<std::string> seen;
  for (const json& change : json::diff(kept, now)) {
    const std::string where = change.at("path");
    if (!seen.insert(where).second) continue;
    if (seen.size() > kMostLines) return lines + "  …\n";
    lines += "  " + where + ": kept " + at(kept, where) + ", now " + at(now, where) + "\n";
  }
  return lines;
}

std::string differencesOf(const std::string& kept, const std::string& now) {
  const std::vector<std::string> then = linesOf(kept), here = linesOf(now);
  std::string lines;
  size_t count = 0;
  for (size_t i = 0; i < std::max(then.size(), here.size()); ++i) {
    if (i < then.size() && i < here.size() && then[i] == here[i]) continue;
    if (++count > kMostLines / 2) return lines + "  …\n";
    const std::string number = "  line " + std::to_string(i + 1);
    lines += number + " kept: " + (i < then.size() ? shortened(then[i]) : "(nothing)") + "\n";
    lines += number + " now:  " + (i < here.size() ? shortened(here[i]) : "(nothing)") + "\n";
  }
  return lines;
}

std::string changedLines(const std::string& base, const std::string& text) {
  const std::vector<std::string> before = linesOf(contentOf(keptFile(base)).value_or("")),
                                 after = linesOf(text);
  const auto addMissing = [](std::string& lines, const char* mark,
                             const std::vector<std::string>& of,
                             const std::vector<std::string>& other) {
    for (const std::string& line : of)
      if (std::ranges::find(other, line) == other.end()) lines += mark + line + "\n";
  };
  std::string lines;
  addMissing(lines, "- ", before, after);
  addMissing(lines, "+ ", after, before);
  return lines;
}

std::string compareOrKeep(const std::string& file, const std::string& text) {
  if (support::remakes()) {
    fs::create_directories(guardFolder() / "kept");
    std::ofstream(keptFile(file)) << text;
    return {};
  }
  const std::optional<std::string> kept = contentOf(keptFile(file));
  if (!kept) return "there is no kept/" + file + "; test_guard --remake writes it\n";
  const std::string lines = differencesOf(*kept, text);
  return lines.empty() ? "" : "kept/" + file + " differs:\n" + lines;
}

}  // namespace tilestep::tests
