// SPDX-License-Identifier: Apache-2.0
#include "support/text_twin.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <string_view>

namespace tilestep::support {
namespace {

constexpr float kField = 16;  // pixels
constexpr const char* kSameAsBefore = " =";

size_t signs(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

bool inOneRow(const DrawnText& a, const DrawnText& b) {
  const float apart = std::fabs(a.top + a.height / 2 - b.top - b.height / 2);
  return apart < 0.3F * std::min(a.height, b.height) && b.left > a.right - 1;
}

/// Whether two texts are in one column, as the indices at the left of a matrix.
bool inOneColumn(const DrawnText& a, const DrawnText& b) {
  constexpr size_t kShort = 4;
  if (signs(a.text) > kShort || signs(b.text) > kShort) return false;
  const bool below = b.top > a.top && b.top - a.top < 4 * a.height;
  return below && (std::fabs(a.right - b.right) < 2 || std::fabs(a.left - b.left) < 2);
}

TwinPanel& panelOf(TwinStep& step, const std::string& name) {
  for (TwinPanel& panel : step.panels)
    if (panel.name == name) return panel;
  return step.panels.emplace_back(TwinPanel{name, {}});
}

const TwinPanel* findPanel(const TwinStep& step, const std::string& name) {
  for (const TwinPanel& panel : step.panels)
    if (panel.name == name) return &panel;
  return nullptr;
}

const TwinStep* findStep(const TextTwin& twin, const std::string& name) {
  for (const TwinStep& step : twin)
    if (step.name == name) return &step;
  return nullptr;
}

}  // namespace

TwinStep twinOf(const std::string& name, const std::vector<DrawnText>& texts) {
  TwinStep step{name, {}};
  const DrawnText* before = nullptr;
  for (const DrawnText& text : texts) {
    std::vector<TwinLine>& lines = panelOf(step, text.panel).lines;
    const bool samePanel = before != nullptr && before->panel == text.panel;
    if (samePanel && inOneRow(*before, text))
      lines.back().text += " | " + text.text;
    else if (samePanel && inOneColumn(*before, text))
      lines.back().text += " / " + text.text;
    else
      lines.push_back({static_cast<int>(std::floor(text.left / kField)),
                       static_cast<int>(std::floor(text.top / kField)), text.text});
    before = &text;
  }
  return step;
}

// --- files --------------------------------------------------------------------------------------

namespace {

/// Writes a panel: its lines, or a mark that they are the same as in the previous step.
void writePanel(std::ostream& out, const TwinPanel& panel, const TwinStep* before) {
  const TwinPanel* then = before == nullptr ? nullptr : findPanel(*before, panel.name);
  const bool same = then != nullptr && then->lines == panel.lines;
  out << "-- " << panel.name << (same ? kSameAsBefore : "") << "\n";
  if (same) return;
  for (const TwinLine& line : panel.lines)
    out << line.x << " " << line.y << " " << line.text << "\n";
}

TwinPanel panelBegunBy(std::string name, const TextTwin& twin) {
  const bool same = name.ends_with(kSameAsBefore);
  if (same) name.resize(name.size() - std::string_view(kSameAsBefore).size());
  const TwinPanel* before =
      same && twin.size() > 1 ? findPanel(twin[twin.size() - 2], name) : nullptr;
  return {name, before == nullptr ? std::vector<TwinLine>() : before->lines};
}

TwinLine lineOf(const std::string& text) {
  std::istringstream words(text);
  TwinLine line;
  words >> line.x >> line.y;
  words.get();
  std::getline(words, line.text);
  return line;
}

}  // namespace

TextTwin readTwin(const std::filesystem::path& file) {
  TextTwin twin;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("== "))
      twin.push_back({line.substr(3), {}});
    else if (line.starts_with("-- ") && !twin.empty())
      twin.back().panels.push_back(panelBegunBy(line.substr(3), twin));
    else if (!line.empty() && line[0] != '#' && !twin.empty() && !twin.back().panels.empty())
      twin.back().panels.back().lines.push_back(lineOf(line));
  }
  return twin;
}

void writeTwin(const std::filesystem::path& file, const TextTwin& twin) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file);
  out << "# What the window says in each picture; docs/screenshots/README.md explains this file.\n";
  const TwinStep* before = nullptr;
  for (const TwinStep& step : twin) {
    out << "\n== " << step.name << "\n";
    for (const TwinPanel& panel : step.panels) writePanel(out, panel, before);
    before = &step;
  }
}

// --- comparisons --------------------------------------------------------------------------------

namespace {

std::string placed(const TwinLine& line) {
  return "\"" + line.text + "\" at " + std::to_string(line.x) + ", " + std::to_string(line.y);
}

bool isNear(const TwinLine& a, const TwinLine& b) {
  return std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1;
}

bool alike(const TwinLine& a, const TwinLine& b) {
  return a.text == b.text && isNear(a, b);
}

/// Whether the line may be missing from `others`: it is at the edge, and no line is at its
/// position.
bool mayBeMissing(const TwinLine& line, const std::vector<TwinLine>& others, int edge) {
  return line.y >= edge &&
         std::ranges::none_of(others, [&](const TwinLine& other) { return isNear(line, other); });
}

/// The y coordinate (in fields of the text twin) below which a line may be missing. Plots and
/// tables scroll, and one pixel may decide whether the last one or two lines above their lower edge
/// are complete.
int edgeOf(const std::string& panel, const std::vector<TwinLine>& then,
           const std::vector<TwinLine>& now) {
  constexpr int kFields = 3;
  if (!panel.ends_with("measures") || then.empty() || now.empty())
    return std::numeric_limits<int>::max();
  int end = 0;
  for (const auto* lines : {&then, &now})
    for (const TwinLine& line : *lines) end = std::max(end, line.y);
  return end - kFields + 1;
}

/// Whether `shorter` is a column of joined rows at the edge, without the last rows of `longer`.
bool isCut(const TwinLine& shorter, const TwinLine& longer, int edge) {
  constexpr std::string_view kNext = " / ";
  if (!longer.text.starts_with(shorter.text + std::string(kNext))) return false;
  int rows = 1;
  for (size_t at = longer.text.find(kNext); at != std::string::npos;
       at = longer.text.find(kNext, at + 1))
    ++rows;
  const TwinLine whole{longer.x, longer.y, shorter.text};
  return alike(shorter, whole) && longer.y + rows >= edge;
}

void comparePanels(const std::string& where, const TwinPanel* kept, const TwinPanel* made,
                   std::vector<std::string>& found) {
  const std::vector<TwinLine> none;
  const std::vector<TwinLine>& then = kept == nullptr ? none : kept->lines;
  const std::vector<TwinLine>& now = made == nullptr ? none : made->lines;
  const int edge = edgeOf(where, then, now);
  for (size_t i = 0, j = 0; i < then.size() || j < now.size();) {
    const bool both = i < then.size() && j < now.size();
    const bool same = both && (alike(then[i], now[j]) || isCut(then[i], now[j], edge) ||
                               isCut(now[j], then[i], edge));
    if (!same && i < then.size() && mayBeMissing(then[i], now, edge)) {
      ++i;
      continue;
    }
    if (!same && j < now.size() && mayBeMissing(now[j], then, edge)) {
      ++j;
      continue;
    }
    if (!same)
      found.push_back(where + ": " + (j < now.size() ? placed(now[j]) : "nothing") + ", kept is " +
                      (i < then.size() ? placed(then[i]) : "nothing"));
    i += i < then.size() ? 1 : 0;
    j += j < now.size() ? 1 : 0;
  }
}

/// The names in both lists, in their order.
template <class Named>
std::vector<std::string> namesOf(const std::vector<Named>& one, const std::vector<Named>& other) {
  std::vector<std::string> names;
  for (const auto* list : {&one, &other})
    for (const Named& named : *list)
      if (std::ranges::find(names, named.name) == names.end()) names.push_back(named.name);
  return names;
}

}  // namespace

std::vector<std::string> differences(const TextTwin& kept, const TextTwin& made) {
  std::vector<std::string> found;
  for (const std::string& name : namesOf(kept, made)) {
    const TwinStep* then = findStep(kept, name);
    const TwinStep* now = findStep(made, name);
    if (then == nullptr || now == nullptr) {
      found.push_back(name + (now == nullptr ? " is made no more" : " is not kept"));
      continue;
    }
    for (const std::string& panel : namesOf(then->panels, now->panels))
      comparePanels(name + ", " + panel, findPanel(*then, panel), findPanel(*now, panel), found);
  }
  return found;
}

}  // namespace tilestep::support
