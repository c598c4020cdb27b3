// SPDX-License-Identifier: Apache-2.0
// The output's elements as cells, and the history of the chosen element.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "features/exercises/panel.h"
#include "features/exercises/story_table.h"
#include "model/snapshot.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// The layout of the cells. Their indices are on the left and, for a matrix, also above.
struct CellGrid {
  ImVec2 at;
  float left = 0, above = 0;    ///< Space for the indices.
  float width = 0, height = 0;  ///< Size of a cell.
  uint64_t columns = 1, rows = 1;

  [[nodiscard]] ImVec2 corner(uint64_t index) const {
    return {at.x + static_cast<float>(index % columns) * width,
            at.y + static_cast<float>(index / columns) * height};
  }
};

std::string textOf(const OutputCell& cell) {
  switch (cell.state) {
    case OutputCell::State::elsewhere:
      return "·";
    case OutputCell::State::unknown:
      return "?";
    default:
      return valueText(cell.value);
  }
}

float smallWidth(const Context& context, const std::string& text) {
  return context.fonts.small
      ->CalcTextSizeA(context.fonts.smallPixels, std::numeric_limits<float>::max(), 0, text.c_str())
      .x;
}

/// A width that fits every value, within limits.
float cellWidth(const Context& context, const OutputCells& cells) {
  float widest = 0;
  for (const OutputCell& cell : cells.cells)
    widest = std::max(widest, smallWidth(context, textOf(cell)));
  return std::ceil(std::clamp(widest + 0.9F * context.em, 1.8F * context.em, 5 * context.em));
}

/// Breaks a vector into rows. A matrix keeps its rows.
CellGrid gridFor(const Context& context, const OutputCells& cells, float room, float height) {
  CellGrid grid;
  grid.at = ImGui::GetCursorScreenPos();
  const std::string last = std::to_string(cells.rows == 1 ? cells.columns : cells.rows);
  grid.left = smallWidth(context, last) + 0.4F * context.em;
  if (cells.rows > 1) grid.above = 1.2F * context.fonts.smallPixels;
  grid.at = {grid.at.x + grid.left, grid.at.y + grid.above};
  room -= grid.left;
  height -= grid.above;
  grid.width = cellWidth(context, cells);
  grid.columns = cells.columns;
  if (cells.rows == 1) {
    const bool isNarrow = 8 * grid.width <= 0.5F * room;
    grid.columns = std::min<uint64_t>(cells.columns, cells.columns > 64 ? 16 : isNarrow ? 8 : 4);
  }
  grid.rows = (cells.cells.size() + grid.columns - 1) / grid.columns;
  constexpr float kLeast = 3;  // Pixels. A larger output is cut off on the right and at the bottom.
  const float width = std::floor(room / static_cast<float>(grid.columns));
  const float tall = std::floor(height / static_cast<float>(grid.rows));
  grid.width = std::max(kLeast, std::min(grid.width, width));
  grid.height = std::max(kLeast, std::min(1.5F * context.em, tall));
  return grid;
}

/// A mark that identifies a wrong cell without colour.
void drawMark(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 color, float em) {
  const float size = std::min(0.5F * em, (max.y - min.y) / 2);
  list.AddTriangleFilled({max.x - size, min.y}, {max.x, min.y}, {max.x, min.y + size}, color);
}

void drawCell(const Context& context, const OutputCell& cell, ImVec2 min, ImVec2 max) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const gfx::Palette& p = context.palette;
  const bool wrong = cell.state == OutputCell::State::wrong;
  const bool stored = wrong || cell.state == OutputCell::State::right;
  if (wrong) list.AddRectFilled(min, max, colour(p.warning, 0.22F));
  list.AddRect(min, max, colour(p.strongLine, stored ? 0.6F : 0.3F));
  if (wrong) drawMark(list, min, max, colour(p.warning), context.em);
  const float size = context.fonts.smallPixels;
  if (max.y - min.y < size) return;
  const std::string text = textOf(cell);
  compat::pushFont(context.fonts.small, size);
  const ImVec2 extent = ImGui::CalcTextSize(text.c_str());
  if (extent.x <= max.x - min.x)
    list.AddText({min.x + (max.x - min.x - extent.x) / 2, min.y + (max.y - min.y - extent.y) / 2},
                 colour(stored ? p.text : p.mutedText), text.c_str());
  ImGui::PopFont();
}

/// Hovering shows the expected value; a click chooses the element.
void takeMouse(const Context& context, const ExercisesView& view, const CellGrid& grid,
               uint64_t count) {
  if (context.ui.readOnly || !ImGui::IsItemHovered()) return;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const auto column = static_cast<uint64_t>(std::max(mouse.x - grid.at.x, 0.0F) / grid.width);
  const auto row = static_cast<uint64_t>(std::max(mouse.y - grid.at.y, 0.0F) / grid.height);
  const uint64_t index = row * grid.columns + column;
  if (column >= grid.columns || index >= count) return;
  showTooltip(context, "It should be " + valueText(view.cells->expected.values[index]) +
                           ". A click shows the values read for it.");
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    context.session.apply(model::command("exercises.element", index));
}

void drawRead(const Context& context, const model::TracedKernel& kernel, const ElementStory& story,
              const StoryRead& read) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  ImGui::PushID(static_cast<int>(read.event));
  ImGui::PushID(read.name.c_str());
  const std::string line = read.line > 0 ? std::to_string(read.line) : "–";
  if (ImGui::Selectable(line.c_str(), false, ImGuiSelectableFlags_SpanAllColumns) &&
      !context.ui.readOnly) {
    context.session.apply(model::command("steps.grain", trace::StepGranularity::event));
    context.session.apply(model::command("steps.go", size_t{read.event}));
  }
  ImGui::PopID();
  ImGui::PopID();
  ImGui::TableNextColumn();
  rightNumber(context, std::to_string(read.epoch), colour(context.palette.text));
  ImGui::TableNextColumn();
  ImGui::TextUnformatted((read.name + (read.element.empty() ? "" : " = " + read.element)).c_str());
  ImGui::TableNextColumn();
  rightNumber(context, valueText(read.value), colour(context.palette.text));
  ImGui::TableNextColumn();
  const std::string remark = remarkOf(kernel, story, read);
  const bool warns = read.unwritten || read.racesWith || (read.needed && !*read.needed);
  ImGui::PushStyleColor(ImGuiCol_Text,
                        vector(warns ? context.palette.warning : context.palette.mutedText));
  wrapped(remark);
  ImGui::PopStyleColor();
}

void drawReads(const Context& context, const model::TracedKernel& kernel,
               const ElementStory& story) {
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_SizingFixedFit | ImGuiTableFlags_RowBg;
  if (story.reads.empty() || !ImGui::BeginTable("##reads", 5, kFlags)) return;
  for (const char* name : {"line", "barriers before", "read", "value"})
    ImGui::TableSetupColumn(name);
  ImGui::TableSetupColumn("", ImGuiTableColumnFlags_WidthStretch);
  ImGui::TableHeadersRow();
  for (const StoryRead& read : story.reads) drawRead(context, kernel, story, read);
  ImGui::EndTable();
  if (story.cut)
    hint(context, "Only the first " + std::to_string(kMostReads) + " reads are shown.");
}

void drawStory(const Context& context, const ElementStory& story) {
  const model::TracedKernel& kernel = *context.snapshot.main->side;
  richText(context, storyText(kernel, story));
  drawReads(context, kernel, story);
}

/// Draws the index of each row on the left (for a vector, the index of its first element), and the
/// column indices above a matrix. Omits indices that do not fit.
void drawIndices(const Context& context, const OutputCells& cells, const CellGrid& grid) {
  const float size = context.fonts.smallPixels;
  const ImU32 ink = colour(context.palette.mutedText);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const auto put = [&](float right, float y, const std::string& text) {
    list.AddText(context.fonts.small, size, {right - smallWidth(context, text), y}, ink,
                 text.c_str());
  };
  for (uint64_t row = 0; row < grid.rows && grid.height >= size; ++row)
    put(grid.at.x - 0.3F * context.em, grid.corner(row * grid.columns).y + (grid.height - size) / 2,
        std::to_string(cells.rows == 1 ? row * grid.columns : row));
  const std::string widest = std::to_string(grid.columns - 1);
  if (cells.rows == 1 || smallWidth(context, widest) > grid.width) return;
  for (uint64_t column = 0; column < grid.columns; ++column) {
    const std::string text = std::to_string(column);
    put(grid.corner(column).x + (grid.width + smallWidth(context, text)) / 2,
        grid.at.y - grid.above, text);
  }
}

/// Draws the cells, and a frame around the chosen cell.
void drawCells(const Context& context, const ExercisesView& view, const CellGrid& grid) {
  const OutputCells& cells = *view.cells;
  for (uint64_t i = 0; i < cells.cells.size(); ++i) {
    const ImVec2 min = grid.corner(i);
    drawCell(context, cells.cells[i], min, {min.x + grid.width - 1, min.y + grid.height - 1});
  }
  if (view.story) {
    const ImVec2 min = grid.corner(view.story->element);
    compat::strokeRect(*ImGui::GetWindowDrawList(), {min.x - 1, min.y - 1},
                       {min.x + grid.width, min.y + grid.height}, colour(context.palette.accent), 0,
                       std::max(0.13F * context.em, 2.0F));
  }
  drawIndices(context, cells, grid);
  ImGui::SetCursorScreenPos(grid.at);
  ImGui::InvisibleButton("##cells", {grid.width * static_cast<float>(grid.columns),
                                     grid.height * static_cast<float>(grid.rows)});
  takeMouse(context, view, grid, cells.cells.size());
}

std::string captionOf(const OutputCells& cells) {
  const uint64_t wrong = cells.wrong();
  std::string text = cells.name + " as this block leaves it: ";
  if (wrong == 0)
    text += "no element that it stores is wrong.";
  else
    text += std::to_string(wrong) + (wrong == 1 ? " element is" : " elements are") +
            " wrong (marked). A click shows why.";
  const bool others = std::ranges::any_of(cells.cells, [](const OutputCell& cell) {
    return cell.state == OutputCell::State::elsewhere;
  });
  return others ? text + " A dot marks an element that the block does not store." : text;
}

}  // namespace

void drawOutput(const Context& context, const ExercisesView& view, float height) {
  if (!view.cells || view.cells->cells.empty()) return;
  hint(context, captionOf(*view.cells));
  const float room = ImGui::GetContentRegionAvail().x, gap = 1.2F * context.em;
  const ImVec2 start = ImGui::GetCursorPos();
  const CellGrid grid = gridFor(context, *view.cells, room, height);
  drawCells(context, view, grid);
  if (!view.story || !context.snapshot.main) return;
  const float width = grid.left + grid.width * static_cast<float>(grid.columns) + gap;
  if (room - width < 20 * context.em) return drawStory(context, *view.story);
  const float bottom = ImGui::GetCursorPosY();
  ImGui::SetCursorPos({start.x + width, start.y});
  ImGui::BeginGroup();
  drawStory(context, *view.story);
  ImGui::EndGroup();
  ImGui::SetCursorPos({start.x, std::max(bottom, ImGui::GetCursorPosY())});
  ImGui::Dummy({1, 1});
}

}  // namespace tilestep::features
