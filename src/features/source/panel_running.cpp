// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>

#include "features/source/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

size_t indentOf(const SourceLine& line) {
  size_t indent = 0;
  for (const Token& token : line) {
    const size_t blanks = std::min(token.text.find_first_not_of(' '), token.text.size());
    indent += blanks;
    if (blanks < token.text.size()) break;
  }
  return indent;
}

bool isBarrier(const SourceLine& line) {
  return std::ranges::any_of(line, [](const Token& token) {
    return token.text.find("__syncthreads") != std::string::npos;
  });
}

}  // namespace

/// The numbers of the lines to show, ascending: the running lines and, at every step, the removed
/// line. If there is too little space, omits barriers first, then later lines. The removed line is
/// omitted only if a single row must show a running line.
std::vector<uint32_t> RunningLines::chosen(const model::TracedStep& step, size_t room) const {
  const auto isThere = [&](uint32_t line) { return line > 0 && line <= lines_.size(); };
  std::vector<uint32_t> lines = step.step.lines;
  std::erase_if(lines, std::not_fn(isThere));
  const uint32_t removed = step.side->removedLine;
  const bool showsRemoved = isThere(removed) && (room > 1 || lines.empty());
  const size_t most = room - (showsRemoved ? 1 : 0);
  if (lines.size() > most) {
    std::ranges::stable_partition(lines,
                                  [&](uint32_t line) { return !isBarrier(lines_[line - 1]); });
    lines.resize(most);
  }
  if (showsRemoved && std::ranges::find(lines, removed) == lines.end()) lines.push_back(removed);
  std::ranges::sort(lines);
  return lines;
}

void RunningLines::draw(const Context& context) {
  const model::TracedStep* step = context.snapshot.main.get();
  if (step == nullptr) return;
  if (source_ != step->side->sourceText) {
    source_ = step->side->sourceText;
    lines_ = highlight(source_);
  }
  ImFont* font = context.fonts.mono;
  const float em = compat::sizeOf(font), height = std::floor(kLineHeight * em);
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float letter = font->CalcTextSizeA(em, 1e9F, 0, "0").x;
  const auto rows = static_cast<size_t>(std::max(room.y / height, 1.0F));
  const std::vector<uint32_t> lines = chosen(*step, rows);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto write = [&](ImVec2 to, gfx::Color color, const std::string& text) {
    list.AddText(font, em, to, colour(color), text.c_str());
  };
  if (lines.empty()) return write(at, context.palette.mutedText, "no line accesses memory");
  size_t indent = std::string::npos;
  for (const uint32_t line : lines) indent = std::min(indent, indentOf(lines_[line - 1]));
  const size_t digits = std::to_string(lines.back()).size();
  const float start = static_cast<float>(digits) * letter + em;
  const auto letters = static_cast<size_t>(std::max((room.x - start) / letter, 0.0F));
  const float top = at.y + std::max(0.0F, (room.y - height * static_cast<float>(lines.size())) / 2);
  float y = top, firstEnd = 0;
  for (const uint32_t line : lines) {
    const std::string number = std::to_string(line);
    const float right = static_cast<float>(digits - number.size()) * letter;
    write({at.x + right, y}, context.palette.mutedText, number);
    float x = at.x + start;
    const SourceLine shown = withCovered(lines_[line - 1], context.snapshot.shown.hiddenTexts);
    for (const Token& token : cutBetweenWords(shown, indent, letters)) {
      const float width = font->CalcTextSizeA(em, 1e9F, 0, token.text.c_str()).x;
      drawToken(context, font, {x, y}, width, token);
      x += width;
    }
    if (line == step->side->removedLine)
      list.AddLine({at.x + start, y + em / 2}, {x, y + em / 2}, colour(context.palette.warning),
                   0.09F * em);
    if (firstEnd <= 0) firstEnd = x;
    y += height;
  }
  // Writes the kernel's name if the first line leaves space.
  const std::string& name = step->side->shortName;
  const float width = font->CalcTextSizeA(em, 1e9F, 0, name.c_str()).x;
  if (firstEnd + em + width <= at.x + room.x)
    write({at.x + room.x - width, top}, context.palette.mutedText, name);
}

}  // namespace tilestep::features
