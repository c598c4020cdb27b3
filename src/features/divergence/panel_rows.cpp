// SPDX-License-Identifier: Apache-2.0
// One warp: a row for each instruction, a column for each lane.
#include <algorithm>
#include <bit>
#include <string>

#include "features/divergence/panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

constexpr int kLanes = 32;

/// The layout of a warp's picture, in pixels.
struct RowGrid {
  float left = 0, top = 0;  ///< Position of the first cell.
  float cell = 0, row = 0;  ///< Width and height of a cell including its gap.
  float labels = 0;         ///< Width of the labels to the left of the cells.
  float counts = 0;         ///< Width of the counts to the right of the cells.
  RowRange range;
  [[nodiscard]] float y(size_t index) const {
    return top + row * static_cast<float>(index - range.first);
  }
  [[nodiscard]] float right() const { return left + cell * kLanes; }
};

class WarpPicture {
 public:
  WarpPicture(const Context& context, const DivergenceView& view, const WarpRows& warp,
              const gfx::Box& box)
      : context_(context),
        view_(view),
        warp_(warp),
        box_(box),
        list_(*ImGui::GetWindowDrawList()),
        small_(context.fonts.smallPixels) {
    layOut();
  }

  /// Returns the picture's height.
  float draw() {
    drawHead();
    for (size_t i = grid_.range.first; i < grid_.range.first + grid_.range.count; ++i) drawRow(i);
    drawNow();
    takeMouse();
    return grid_.y(grid_.range.first + grid_.range.count) - box_.y;
  }

 private:
  [[nodiscard]] float widthOf(const std::string& what, ImFont* font) const {
    return font->CalcTextSizeA(small_, 1e9F, 0, what.c_str()).x;
  }
  void text(ImFont* font, ImVec2 at, ImU32 color, const std::string& what) {
    list_.AddText(font, small_, at, color, what.c_str());
  }

  void layOut() {
    const float em = context_.em, head = 2.6F * small_;
    grid_.counts = widthOf("32 of 32", context_.fonts.small) + 0.6F * em;
    const float room = box_.width - grid_.counts;
    const float least = widthOf("A 123", context_.fonts.mono) + 0.5F * em;
    // If the cells would be narrow, labels are limited to line numbers.
    grid_.labels = room < 26 * em ? least : std::clamp(0.4F * room, least, 14 * em);
    grid_.cell = std::clamp((room - grid_.labels) / kLanes, 2.0F, 1.5F * em);
    grid_.left = box_.x + grid_.labels;
    grid_.top = box_.y + head;
    const size_t rows = warp_.rows.size();
    const float height = box_.y + box_.height - grid_.top;
    const float least_row = std::max(0.55F * em, 6.0F);
    const auto room_rows = static_cast<size_t>(std::max(height / least_row, 1.0F));
    grid_.range = rowsWithRoom(rows, rowAt(warp_, view_.lastEvent), room_rows);
    grid_.row = std::clamp(height / static_cast<float>(std::max<size_t>(grid_.range.count, 1)),
                           least_row, std::max(2.4F * em, least_row));
  }

  void drawHead() {
    const gfx::Palette& p = context_.palette;
    std::string name = "warp " + std::to_string(warp_.warp);
    const size_t end = grid_.range.first + grid_.range.count;
    if (grid_.range.count < warp_.rows.size())
      name += " · " + std::to_string(grid_.range.first + 1) + " to " + std::to_string(end) +
              " of " + std::to_string(warp_.rows.size());
    text(context_.fonts.strong, {grid_.left, box_.y}, colour(p.text), name);
    const float y = box_.y + 1.25F * small_;
    text(context_.fonts.small, {box_.x, y}, colour(p.mutedText), "line");
    for (const int lane : {0, 8, 16, 24, 31}) {
      const std::string number = std::to_string(lane);
      const float middle = grid_.left + (static_cast<float>(lane) + 0.5F) * grid_.cell;
      text(context_.fonts.small, {middle - widthOf(number, context_.fonts.small) / 2, y},
           colour(p.mutedText), number);
    }
    text(context_.fonts.small, {grid_.right() + 0.4F * context_.em, y}, colour(p.mutedText), "on");
  }

  /// Whether the row begins a run of rows with the same line and lanes. The run has one label.
  [[nodiscard]] bool beginsRun(size_t i) const {
    if (i == grid_.range.first) return true;
    const LaneRow &row = warp_.rows[i], &before = warp_.rows[i - 1];
    return row.line != before.line || row.mask != before.mask;
  }
  [[nodiscard]] float runHeight(size_t i) const {
    size_t end = i + 1;
    while (end < grid_.range.first + grid_.range.count && !beginsRun(end)) ++end;
    return grid_.row * static_cast<float>(end - i);
  }

  void drawRow(size_t i) {
    const LaneRow& row = warp_.rows[i];
    const float y = grid_.y(i);
    const bool later = row.event > view_.lastEvent;
    drawCells(row, y, later);
    if (beginsRun(i) && runHeight(i) >= small_) drawTexts(row, y, later);
  }

  void drawCells(const LaneRow& row, float y, bool later) {
    const gfx::Palette& p = context_.palette;
    const gfx::Color fill = colourOf(*view_.picture, row.path, p);
    const float gap = grid_.cell > 5 ? 1.0F : 0.5F, below = grid_.row > 5 ? 1.0F : 0.5F;
    for (int lane = 0; lane < kLanes; ++lane) {
      if ((warp_.threads >> lane & 1U) == 0) continue;
      const float x = grid_.left + static_cast<float>(lane) * grid_.cell;
      const ImVec2 min{x + gap, y + below}, max{x + grid_.cell - gap, y + grid_.row - below};
      if ((row.mask >> lane & 1U) != 0)
        list_.AddRectFilled(min, max, colour(fill, later ? 0.22F : 1.0F));
      else
        drawOff(min, max, later);
    }
  }

  /// An inactive lane is a thin stroke, so that it looks empty in every theme.
  void drawOff(ImVec2 min, ImVec2 max, bool later) {
    const float middle = (min.y + max.y) / 2, inset = 0.3F * (max.x - min.x);
    list_.AddLine({min.x + inset, middle}, {max.x - inset, middle},
                  colour(context_.palette.mutedText, later ? 0.3F : 0.9F),
                  std::max(1.0F, 0.08F * context_.em));
  }

  void drawTexts(const LaneRow& row, float y, bool later) {
    const gfx::Palette& p = context_.palette;
    const LanePath& path = view_.picture->paths[row.path];
    const float em = context_.em, at = y + std::max((grid_.row - small_) / 2, 0.0F);
    const ImU32 ink = colour(later ? p.mutedText : p.text);
    float x = box_.x;
    if (!path.all) {
      const gfx::Color mark = gfx::inkOf(colourOf(*view_.picture, row.path, p), p);
      text(context_.fonts.strong, {x, at}, colour(mark), path.name);
    }
    x += widthOf("A ", context_.fonts.mono) + 0.2F * em;
    std::string line = row.line > 0 ? std::to_string(row.line) : "–";
    const std::string code = sourceLineOf(*view_.of, row.line);
    const float room = grid_.left - 0.5F * em - x;
    if (room > 7 * em) line += "  " + code;
    text(context_.fonts.mono, {x, at}, ink, cutToWidth(line, room));
    text(context_.fonts.small, {grid_.right() + 0.4F * em, at}, ink,
         std::to_string(std::popcount(row.mask)) + " of " +
             std::to_string(std::popcount(warp_.threads)));
  }

  [[nodiscard]] std::string cutToWidth(std::string what, float room) const {
    if (widthOf(what, context_.fonts.mono) <= room) return what;
    while (!what.empty() && widthOf(what + "…", context_.fonts.mono) > room) {
      do what.pop_back();
      while (!what.empty() && (static_cast<unsigned char>(what.back()) & 0xC0U) == 0x80U);
    }
    return what + "…";
  }

  /// A frame around the rows of the present step.
  void drawNow() {
    size_t first = warp_.rows.size(), last = 0;
    for (size_t i = grid_.range.first; i < grid_.range.first + grid_.range.count; ++i) {
      const uint32_t event = warp_.rows[i].event;
      if (event < view_.firstEvent || event > view_.lastEvent) continue;
      first = std::min(first, i);
      last = i;
    }
    if (first == warp_.rows.size()) return;
    compat::strokeRect(list_, {grid_.left - 2, grid_.y(first) - 1},
                       {grid_.right() + 2, grid_.y(last + 1) + 1}, colour(context_.palette.accent),
                       2, std::max(0.13F * context_.em, 2.0F));
  }

  /// A click goes to the row's instruction; hovering describes it.
  void takeMouse() {
    if (context_.ui.readOnly || !ImGui::IsWindowHovered()) return;
    const float bottom = grid_.y(grid_.range.first + grid_.range.count);
    // IsMouseHoveringRect respects the clip rectangle, which is empty while the stage is covered.
    if (!ImGui::IsMouseHoveringRect({box_.x, grid_.top}, {grid_.right() + grid_.counts, bottom}))
      return;
    const float below = ImGui::GetIO().MousePos.y - grid_.top;
    const auto index = grid_.range.first + static_cast<size_t>(std::max(below, 0.0F) / grid_.row);
    const LaneRow& row = warp_.rows[std::min(index, warp_.rows.size() - 1)];
    showTooltip(context_, "Line " + std::to_string(row.line) + ": " +
                              sourceLineOf(*view_.of, row.line) + "\n" +
                              std::to_string(std::popcount(row.mask)) + " of " +
                              std::to_string(std::popcount(warp_.threads)) +
                              " lanes are on. A click goes to this instruction.");
    if (!ImGui::IsMouseClicked(ImGuiMouseButton_Left)) return;
    context_.session.apply(model::command("steps.grain", trace::StepGranularity::event));
    context_.session.apply(model::command("steps.go", size_t{row.event}));
  }

  const Context& context_;
  const DivergenceView& view_;
  const WarpRows& warp_;
  gfx::Box box_;
  ImDrawList& list_;
  float small_;
  RowGrid grid_;
};

}  // namespace

RowRange rowsWithRoom(size_t rows, size_t now, size_t room) {
  if (rows <= room) return {0, rows};
  const size_t first = now > room / 2 ? now - room / 2 : 0;
  return {std::min(first, rows - room), room};
}

size_t rowAt(const WarpRows& warp, uint32_t event) {
  const auto after = std::ranges::upper_bound(warp.rows, event, {}, &LaneRow::event);
  return after == warp.rows.begin() ? 0 : static_cast<size_t>(after - warp.rows.begin()) - 1;
}

gfx::Color colourOf(const LanesPicture& picture, size_t path, const gfx::Palette& palette) {
  if (picture.paths[path].all) return gfx::mix(palette.mutedText, palette.text, 0.3F);
  int number = 0;
  for (size_t i = 0; i < path; ++i) number += picture.paths[i].all ? 0 : 1;
  return palette.category(number);
}

float drawWarpRows(const Context& context, const DivergenceView& view, const WarpRows& warp,
                   const gfx::Box& box) {
  return WarpPicture(context, view, warp, box).draw();
}

}  // namespace tilestep::features
