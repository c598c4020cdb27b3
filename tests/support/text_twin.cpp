// SPDX-License-Identifier: Apache-2.0
#include "support/text_twin.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <set>
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

/// As the indices at the left of a matrix are.
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

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

std::vector<std::string> parted(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(", ", at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end + 2;
  }
  return words;
}

std::string textOf(const std::vector<TwinLine>& lines) {
  std::string text;
  for (const TwinLine& line : lines)
    text += std::to_string(line.x) + " " + std::to_string(line.y) + " " + line.text + "\n";
  return text;
}

/// The names of all compilers' steps, or of all their panels of a step, in their order.
template <class Table, class Part>
std::vector<std::string> names(const std::vector<const Table*>& twins, Part part) {
  std::vector<std::string> all;
  for (const Table* twin : twins)
    for (const auto& one : part(*twin))
      if (std::find(all.begin(), all.end(), one.name) == all.end()) all.push_back(one.name);
  return all;
}

/// A compiler's step and the one before it; null where there is none.
struct At {
  std::string compiler;
  const TwinStep* step = nullptr;
  const TwinStep* before = nullptr;
};

/// What a file says of a panel: its lines, or that they are the same as in the step before.
std::string bodyOf(const At& at, const std::string& name) {
  const TwinPanel& panel = *findPanel(*at.step, name);
  const TwinPanel* before = at.before == nullptr ? nullptr : findPanel(*at.before, name);
  return before != nullptr && before->lines == panel.lines ? kSameAsBefore
                                                           : "\n" + textOf(panel.lines);
}

void writePanel(std::ostream& out, const std::string& name, const std::vector<At>& all) {
  std::vector<std::pair<std::string, std::vector<std::string>>> bodies;
  for (const At& at : all) {
    if (findPanel(*at.step, name) == nullptr) continue;
    const std::string body = bodyOf(at, name);
    auto found = std::find_if(bodies.begin(), bodies.end(),
                              [&](const auto& one) { return one.first == body; });
    if (found == bodies.end()) found = bodies.insert(bodies.end(), {body, {}});
    found->second.push_back(at.compiler);
  }
  for (const auto& [body, compilers] : bodies) {
    out << "-- " << name;
    if (compilers.size() < all.size()) out << " [" << joined(compilers) << "]";
    out << body << (body == kSameAsBefore ? "\n" : "");
  }
}

void writeStep(std::ostream& out, const std::string& name, const TwinsByCompiler& twins) {
  std::vector<At> all;
  std::vector<const TwinStep*> steps;
  for (const auto& [compiler, twin] : twins)
    for (size_t i = 0; i < twin.size(); ++i) {
      if (twin[i].name != name) continue;
      all.push_back({compiler, &twin[i], i > 0 ? &twin[i - 1] : nullptr});
      steps.push_back(&twin[i]);
    }
  out << "\n== " << name << "\n";
  const auto panels = [](const TwinStep& step) { return step.panels; };
  for (const std::string& panel : names(steps, panels)) writePanel(out, panel, all);
}

/// Fills in the twins while the lines of a file go by.
class Reader {
 public:
  void take(const std::string& line) {
    if (line.rfind("compilers: ", 0) == 0) {
      for (const std::string& name : parted(line.substr(11))) twins_[name];
    } else if (line.rfind("== ", 0) == 0) {
      for (auto& [compiler, twin] : twins_) twin.push_back({line.substr(3), {}});
    } else if (line.rfind("-- ", 0) == 0) {
      beginPanel(line.substr(3));
    } else if (!line.empty() && line[0] != '#') {
      addLine(line);
    }
  }
  TwinsByCompiler done() { return std::move(twins_); }

 private:
  void beginPanel(std::string name) {
    const bool same = name.ends_with(kSameAsBefore);
    if (same) name.resize(name.size() - 2);
    now_.clear();
    if (name.ends_with("]")) {
      const size_t open = name.rfind(" [");
      now_ = parted(name.substr(open + 2, name.size() - open - 3));
      name.resize(open);
    } else {
      for (const auto& [compiler, twin] : twins_) now_.push_back(compiler);
    }
    for (const std::string& compiler : now_) {
      TextTwin& twin = twins_[compiler];
      if (twin.empty()) twin.push_back({});
      TwinPanel panel{name, {}};
      const TwinPanel* before =
          same && twin.size() > 1 ? findPanel(twin[twin.size() - 2], name) : nullptr;
      if (before != nullptr) panel.lines = before->lines;
      twin.back().panels.push_back(panel);
    }
  }

  void addLine(const std::string& line) {
    std::istringstream words(line);
    TwinLine read;
    words >> read.x >> read.y;
    words.get();
    std::getline(words, read.text);
    for (const std::string& compiler : now_) {
      TextTwin& twin = twins_[compiler];
      if (!twin.empty() && !twin.back().panels.empty())
        twin.back().panels.back().lines.push_back(read);
    }
  }

  TwinsByCompiler twins_;
  std::vector<std::string> now_;  ///< Whose panel the lines belong to.
};

}  // namespace

TwinsByCompiler readTwins(const std::filesystem::path& file) {
  Reader reader;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) reader.take(line);
  return reader.done();
}

void writeTwins(const std::filesystem::path& file, const TwinsByCompiler& twins) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream out(file);
  out << "# What the window says in each picture; docs/screenshots/README.md explains this file.\n";
  std::vector<std::string> compilers;
  std::vector<const TextTwin*> all;
  for (const auto& [compiler, twin] : twins) {
    compilers.push_back(compiler);
    all.push_back(&twin);
  }
  out << "compilers: " << joined(compilers) << "\n";
  for (const std::string& step : names(all, [](const TextTwin& twin) { return twin; }))
    writeStep(out, step, twins);
}

// --- comparisons --------------------------------------------------------------------------------

namespace {

std::string placed(const TwinLine& line) {
  return "\"" + line.text + "\" at " + std::to_string(line.x) + ", " + std::to_string(line.y);
}

bool alike(const TwinLine& a, const TwinLine& b) {
  return a.text == b.text && std::abs(a.x - b.x) <= 1 && std::abs(a.y - b.y) <= 1;
}

/// The field below which a line may be missing: the plots and tables scroll, and whether the last
/// line or two above their lower edge are whole depends on a pixel.
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

/// Whether `shorter` is a column of joined rows whose last rows only `longer` has, at the edge.
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
    if (!same && i < then.size() && then[i].y >= edge) {
      ++i;
      continue;
    }
    if (!same && j < now.size() && now[j].y >= edge) {
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

}  // namespace

std::vector<std::string> differences(const TextTwin& kept, const TextTwin& made) {
  std::vector<std::string> found;
  for (const std::string& name :
       names<TextTwin>({&kept, &made}, [](const TextTwin& twin) { return twin; })) {
    const TwinStep* then = findStep(kept, name);
    const TwinStep* now = findStep(made, name);
    if (then == nullptr || now == nullptr) {
      found.push_back(name + (now == nullptr ? " is made no more" : " is not kept"));
      continue;
    }
    for (const std::string& panel :
         names<TwinStep>({then, now}, [](const TwinStep& step) { return step.panels; }))
      comparePanels(name + ", " + panel, findPanel(*then, panel), findPanel(*now, panel), found);
  }
  return found;
}

TextTwin agreed(const TwinsByCompiler& twins) {
  TextTwin all;
  if (twins.empty()) return all;
  for (const TwinStep& step : twins.begin()->second) {
    TwinStep common{step.name, {}};
    for (const TwinPanel& panel : step.panels) {
      const bool same = std::all_of(twins.begin(), twins.end(), [&](const auto& one) {
        const TwinStep* other = findStep(one.second, step.name);
        const TwinPanel* there = other == nullptr ? nullptr : findPanel(*other, panel.name);
        return there != nullptr && there->lines == panel.lines;
      });
      if (same) common.panels.push_back(panel);
    }
    all.push_back(std::move(common));
  }
  return all;
}

TextTwin onlyPanelsOf(const TextTwin& wanted, const TextTwin& twin) {
  TextTwin all;
  for (const TwinStep& step : twin) {
    TwinStep some{step.name, {}};
    const TwinStep* like = findStep(wanted, step.name);
    for (const TwinPanel& panel : step.panels)
      if (like != nullptr && findPanel(*like, panel.name) != nullptr) some.panels.push_back(panel);
    all.push_back(std::move(some));
  }
  return all;
}

std::string twinCompiler(const std::string& description) {
  const bool clang = description.rfind("clang ", 0) == 0;
  return clang ? description.substr(0, description.find('.')) : description;
}

}  // namespace tilestep::support
