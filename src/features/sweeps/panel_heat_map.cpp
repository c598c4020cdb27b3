// SPDX-License-Identifier: Apache-2.0
// A sweep over two axes.
#include <algorithm>
#include <cmath>

#include "features/sweeps/panel.h"
#include "features/sweeps/view.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

/// The position of the cells in pixels.
struct HeatGrid {
  ImVec2 min, max;
  float width = 1, height = 1;                                ///< Size of a cell.
  [[nodiscard]] ImVec2 at(size_t column, size_t row) const {  // Rows count from the bottom.
    return {min.x + width * static_cast<float>(column),
            max.y - height * static_cast<float>(row + 1)};
  }
};

float widest(const SweepAxis& axis) {
  float width = 0;
  for (size_t i = 0; i < axis.values.size(); ++i)
    width = std::max(width, ImGui::CalcTextSize(axis.textOf(i).c_str()).x);
  return width;
}

float shareOf(const SweepView& view, double value) {
  if (view.high <= view.low) return 1;
  return static_cast<float>((value - view.low) / (view.high - view.low));
}

void drawAxes(const Context& context, ImDrawList& list, const SweepView& view,
              const HeatGrid& grid) {
  const gfx::Palette& p = context.palette;
  const float em = ImGui::GetFontSize();
  const SweepAxis &x = view.plan->x, &y = view.plan->y;
  float free = grid.min.x - em;
  for (size_t i = 0; i < x.values.size(); ++i) {
    const std::string text = x.textOf(i);
    const float width = ImGui::CalcTextSize(text.c_str()).x;
    const float left = grid.at(i, 0).x + (grid.width - width) / 2;
    if (left < free || left + width > grid.max.x + em) continue;
    list.AddText({left, grid.max.y + 0.25F * em}, colour(p.text), text.c_str());
    free = left + width + 0.4F * em;
  }
  float lowest = grid.max.y + em;
  for (size_t i = 0; i < y.values.size(); ++i) {
    const std::string text = y.textOf(i);
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float top = grid.at(0, i).y + (grid.height - size.y) / 2;
    if (top + size.y > lowest) continue;
    list.AddText({grid.min.x - 0.4F * em - size.x, top}, colour(p.text), text.c_str());
    lowest = top - 0.1F * em;
  }
  const ImVec2 name = ImGui::CalcTextSize(x.name.c_str());
  list.AddText({grid.max.x - name.x, grid.max.y + 1.5F * em}, colour(p.mutedText), x.name.c_str());
  list.AddText({grid.min.x, grid.min.y - 1.4F * em}, colour(p.mutedText), y.name.c_str());
}

/// The value in the cell, if it fits; the best cell is marked.
void writeInto(ImDrawList& list, const SweepCell& cell, ImVec2 min, ImVec2 max) {
  const std::string number = tickText(cell.value.value);
  const float em = ImGui::GetFontSize();
  const ImVec2 size = ImGui::CalcTextSize(number.c_str());
  if (size.x + 0.5F * em > max.x - min.x || size.y > max.y - min.y) return;
  const bool two = cell.best && max.y - min.y > 2.5F * em &&
                   ImGui::CalcTextSize("best").x + 0.5F * em < max.x - min.x;
  const float top = (min.y + max.y) / 2 - (two ? 1.1F * em : size.y / 2);
  const ImU32 ink = ImGui::GetColorU32(ImGuiCol_Text);
  list.AddText({(min.x + max.x - size.x) / 2, top}, ink, number.c_str());
  if (!two) return;
  const ImVec2 word = ImGui::CalcTextSize("best");
  list.AddText({(min.x + max.x - word.x) / 2, top + 1.1F * em}, ink, "best");
}

void drawCell(const Context& context, ImDrawList& list, const SweepView& view, size_t index,
              ImVec2 min, ImVec2 max) {
  const gfx::Palette& p = context.palette;
  const SweepCell& cell = view.cells[index];
  const ImVec2 middle{(min.x + max.x) / 2, (min.y + max.y) / 2};
  const float r = std::min(0.2F * context.em, (max.y - min.y) / 3);
  switch (cell.state) {
    case State::done: {
      const gfx::Color fill = gfx::valueColor(shareOf(view, cell.value.value));
      list.AddRectFilled(min, max, colour(fill));
      ImGui::PushStyleColor(ImGuiCol_Text, vector(gfx::textOn(fill)));
      writeInto(list, cell, min, max);
      ImGui::PopStyleColor();
      break;
    }
    case State::illegal:
      hatch(list, min, max, colour(p.mutedText, 0.45F), 0.45F * context.em);
      break;
    case State::missing:
      list.AddRect(min, max, colour(p.line));
      list.AddLine({middle.x - r, middle.y}, {middle.x + r, middle.y}, colour(p.mutedText), 1.5F);
      break;
    case State::waiting:
      list.AddRect(min, max, colour(p.line));
      list.AddCircle(middle, r, colour(p.mutedText), 16, 1.2F);
      break;
  }
}

void outline(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 ink, float by, float thickness) {
  compat::strokeRect(list, {min.x - by, min.y - by}, {max.x + by, max.y + by}, ink, 0, thickness);
}

void drawCells(const Context& context, ImDrawList& list, const SweepView& view,
               const HeatGrid& grid) {
  const gfx::Palette& p = context.palette;
  const float gap = grid.width > 6 && grid.height > 6 ? 0.5F : 0;
  const auto boxOf = [&](size_t i) {
    const SweepPoint& point = view.plan->points[i];
    const ImVec2 at = grid.at(point.column, point.row);
    return std::pair{ImVec2{at.x + gap, at.y + gap},
                     ImVec2{at.x + grid.width - gap, at.y + grid.height - gap}};
  };
  std::optional<size_t> hovered;
  for (size_t i = 0; i < view.cells.size(); ++i) {
    const auto [min, max] = boxOf(i);
    drawCell(context, list, view, i, min, max);
    if (ImGui::IsMouseHoveringRect(min, max)) hovered = i;
  }
  for (size_t i = 0; i < view.cells.size(); ++i) {
    const auto [min, max] = boxOf(i);
    const SweepCell& cell = view.cells[i];
    if (cell.best) outline(list, min, max, colour(p.text), 1, 2);
    if (cell.now) outline(list, min, max, colour(p.accent), cell.best ? -2.0F : 0.0F, 3);
    if (context.ui.sweepAt == i) outline(list, min, max, colour(p.text), 4, 2);
  }
  if (hovered) touchSweepCell(context, view, *hovered);
}

/// The colour scale with its numbers.
void drawScale(const Context& context, ImDrawList& list, const SweepView& view, ImVec2 min,
               ImVec2 max) {
  const gfx::Palette& p = context.palette;
  const float em = ImGui::GetFontSize();
  constexpr int kSteps = 64;
  const float step = (max.y - min.y) / kSteps, bar = 0.9F * em;
  for (int i = 0; i < kSteps; ++i) {
    const float y = max.y - step * static_cast<float>(i + 1);
    list.AddRectFilled({min.x, y}, {min.x + bar, y + step + 0.5F},
                       colour(gfx::valueColor((static_cast<float>(i) + 0.5F) / kSteps)));
  }
  const int most = std::max(2, static_cast<int>((max.y - min.y) / (2.2F * em)));
  for (const Tick& tick : linearTicks(view.low, view.high, most)) {
    if (tick.label.empty()) continue;
    const float y = max.y - (max.y - min.y) * shareOf(view, tick.value);
    list.AddLine({min.x + bar, y}, {min.x + bar + 0.25F * em, y}, colour(p.text));
    list.AddText({min.x + bar + 0.4F * em, y - em / 2}, colour(p.text), tick.label.c_str());
  }
}

float scaleWidth(const SweepView& view) {
  const float em = ImGui::GetFontSize();
  float width = ImGui::CalcTextSize("500 G").x;
  for (const Tick& tick : linearTicks(view.low, view.high, 12))
    width = std::max(width, ImGui::CalcTextSize(tick.label.c_str()).x);
  return width + 2.1F * em;
}

}  // namespace

std::vector<LegendMark> sweepMapMarks(const Context& context, const SweepView& view) {
  const gfx::Palette& p = context.palette;
  std::vector<LegendMark> marks{
      {"from low to high", [](ImDrawList& list, ImVec2 min, ImVec2 max) {
         constexpr int kShades = 12;
         const float step = (max.x - min.x) / kShades;
         for (int i = 0; i < kShades; ++i) {
           const float left = min.x + step * static_cast<float>(i);
           list.AddRectFilled({left, min.y}, {left + step, max.y},
                              colour(gfx::valueColor(static_cast<float>(i) / (kShades - 1))));
         }
       }}};
  const auto any = [&](auto is) { return std::ranges::any_of(view.cells, is); };
  if (any([](const SweepCell& cell) { return cell.now; }))
    marks.push_back({"what is chosen", outlined(p.accent, 3)});
  if (any([](const SweepCell& cell) { return cell.best; }))
    marks.push_back({"the best", outlined(p.text, 2)});
  return marks;
}

void drawSweepMap(const Context& context, const SweepView& view, float height) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float em = context.fonts.smallPixels;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const bool scaled = view.high > view.low;
  const float scale = scaled ? scaleWidth(view) + em : 0.5F * em;
  HeatGrid grid;
  grid.min = {at.x + widest(view.plan->y) + 0.7F * em, at.y + 1.6F * em};
  grid.max = {std::max(at.x + width - scale, grid.min.x + 4 * em),
              std::max(at.y + height - 2.8F * em, grid.min.y + 4 * em)};
  grid.width = (grid.max.x - grid.min.x) / static_cast<float>(view.plan->x.values.size());
  grid.height = (grid.max.y - grid.min.y) / static_cast<float>(view.plan->y.values.size());
  drawAxes(context, list, view, grid);
  drawCells(context, list, view, grid);
  if (scaled) {
    drawScale(context, list, view, {grid.max.x + em, grid.min.y}, grid.max);
    const std::string unit =
        cutTo(view.axis, width - (widest(view.plan->y) + 0.7F * em) -
                             ImGui::CalcTextSize(view.plan->y.name.c_str()).x - em);
    const float wide = ImGui::CalcTextSize(unit.c_str()).x;
    list.AddText({at.x + width - wide, at.y + 0.2F * em}, colour(context.palette.mutedText),
                 unit.c_str());
  }
  if (const std::string text = sweepWish(context, view); !text.empty()) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float x = grid.max.x - size.x - em;
    if (x > grid.min.x) {
      list.AddRectFilled({x - 0.5F * em, grid.min.y + 0.5F * em},
                         {grid.max.x - 0.5F * em, grid.min.y + 2.5F * em},
                         colour(context.palette.surface));
      list.AddText({x, grid.min.y + em}, colour(context.palette.text), text.c_str());
    }
  }
  ImGui::Dummy({width, height});
  ImGui::PopFont();
}

}  // namespace tilestep::features
