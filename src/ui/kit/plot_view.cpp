// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::ui {
namespace {

constexpr double kStep = 1.25;       ///< Zoom factor per wheel notch or key press.
constexpr double kKeyPan = 0.1;      ///< Fraction of the shown range.
constexpr double kKeyCursor = 0.01;  ///< Fraction of the shown range.
constexpr double kFurthest = 8;      ///< Multiple of the whole range.
constexpr double kDeepest = 1e-7;    ///< Fraction of the whole range.
constexpr float kClick = 4;          ///< Pixels: smaller movements are not drags.

/// The whole range on the shown scale, so that spans are comparable.
PlotAxis onScaleOf(const PlotAxis& whole, const PlotAxis& shown) {
  AxisView same;
  same.otherScale = whole.logarithmic != shown.logarithmic;
  return shownAxis(whole, same, shown.logarithmic ? std::min(shown.low, whole.high * 1e-3) : 0);
}

/// Adopts a range, unless it cannot be shown or contains no data.
void place(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double low, double high) {
  const PlotAxis all = onScaleOf(whole, shown);
  const double from = positionOn(all, low), to = positionOn(all, high);
  const bool fits =
      std::isfinite(low) && std::isfinite(high) && low < high && (!shown.logarithmic || low > 0);
  if (!fits || to - from > kFurthest || to - from < kDeepest) return;
  if (from > 0.98 || to < 0.02) return;  // No part of the whole range would remain.
  view.moved = true;
  view.low = low;
  view.high = high;
}

double shareOf(float at, float from, float to) {
  return static_cast<double>(at - from) / std::max(static_cast<double>(to - from), 1.0);
}

/// The pointer's position over the plot, in fractions of its axes.
struct Pointer {
  double x = 0, y = 0;
};

Pointer pointerOf(const Plot& plot, ImVec2 at) {
  return {shareOf(at.x, plot.min().x, plot.max().x),
          shareOf(plot.max().y - at.y, 0, plot.max().y - plot.min().y)};
}

struct Views {
  const PlotAxis &wholeX, &wholeY;
  AxisView &x, &y;
};

void turnWheel(const Plot& plot, const Views& views, bool zoomY) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseWheel == 0) return;
  const double factor = std::pow(kStep, static_cast<double>(io.MouseWheel));
  const Pointer at = pointerOf(plot, io.MousePos);
  const bool comparisonX = at.y < 0, comparisonY = at.x < 0;
  if (!comparisonY && !io.KeyShift) zoomAxis(views.wholeX, plot.x(), views.x, at.x, factor);
  if (comparisonY || io.KeyShift || (zoomY && !comparisonX))
    zoomAxis(views.wholeY, plot.y(), views.y, at.y, factor);
}

void dragBox(const Plot& plot, const Views& views, ImGuiMouseButton button) {
  const ImGuiIO& io = ImGui::GetIO();
  const auto inside = [&](ImVec2 at) {
    return ImVec2{std::clamp(at.x, plot.min().x, plot.max().x),
                  std::clamp(at.y, plot.min().y, plot.max().y)};
  };
  const ImVec2 from = inside(io.MouseClickedPos[button]), to = inside(io.MousePos);
  // A flat box does not select a range of the y axis.
  const bool wide = std::abs(to.x - from.x) > 2 * kClick,
             high = std::abs(to.y - from.y) > 4 * kClick;
  const ImVec2 min{wide ? std::min(from.x, to.x) : plot.min().x,
                   high ? std::min(from.y, to.y) : plot.min().y};
  const ImVec2 max{wide ? std::max(from.x, to.x) : plot.max().x,
                   high ? std::max(from.y, to.y) : plot.max().y};
  if (!wide && !high) return;
  if (ImGui::IsMouseDown(button)) {
    plot.list().AddRectFilled(min, max, ImGui::GetColorU32(ImGuiCol_Text, 0.1F));
    plot.list().AddRect(min, max, ImGui::GetColorU32(ImGuiCol_Text, 0.6F));
    return;
  }
  const Pointer low = pointerOf(plot, {min.x, max.y}), top = pointerOf(plot, {max.x, min.y});
  if (wide) showPart(views.wholeX, plot.x(), views.x, low.x, top.x);
  if (high) showPart(views.wholeY, plot.y(), views.y, low.y, top.y);
}

void dragAlong(const Plot& plot, const Views& views) {
  const ImVec2 by = ImGui::GetIO().MouseDelta;
  if (by.x != 0)
    panAxis(views.wholeX, plot.x(), views.x, -shareOf(by.x, 0, plot.max().x - plot.min().x));
  if (by.y != 0)
    panAxis(views.wholeY, plot.y(), views.y, shareOf(by.y, 0, plot.max().y - plot.min().y));
}

/// Pins the cursor, or removes a pinned cursor that is clicked.
void click(const Plot& plot, PlotCursor& cursor) {
  const float at = ImGui::GetIO().MousePos.x;
  const bool near =
      cursor.pinned && std::abs(plot.pixel(*cursor.pinned, plot.y().low).x - at) < 2 * kClick;
  if (near)
    cursor.pinned.reset();
  else
    cursor.pinned = plot.value({at, plot.min().y}).x;
}

/// Resets the view, keeping the chosen scale.
void showAll(AxisView& x, AxisView& y, PlotCursor& cursor) {
  for (AxisView* view : {&x, &y}) *view = AxisView{false, 0, 1, view->otherScale};
  cursor.pinned.reset();
}

}  // namespace

PlotAxis shownAxis(const PlotAxis& whole, const AxisView& view, double least) {
  PlotAxis axis = whole;
  axis.logarithmic = whole.logarithmic != view.otherScale;
  if (view.moved) {
    axis.low = view.low;
    axis.high = view.high;
  }
  if (axis.logarithmic && axis.high <= 0) axis.high = 1;
  if (axis.logarithmic && axis.low <= 0)
    axis.low = std::min(least > 0 ? least : axis.high * 1e-3, axis.high / 2);
  return axis;
}

void zoomAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double position,
              double factor) {
  const double at = std::clamp(position, 0.0, 1.0);
  place(whole, shown, view, valueOn(shown, at * (1 - 1 / factor)),
        valueOn(shown, at + (1 - at) / factor));
}

void panAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double share) {
  place(whole, shown, view, valueOn(shown, share), valueOn(shown, 1 + share));
}

void showPart(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double from,
              double to) {
  place(whole, shown, view, valueOn(shown, from), valueOn(shown, to));
}

void takeKeys(PlotKeys& keys, bool zoomY, const PlotAxis& wholeX, const PlotAxis& wholeY,
              const PlotAxis& shownX, const PlotAxis& shownY, AxisView& x, AxisView& y,
              PlotCursor& cursor) {
  const PlotKeys asked = std::exchange(keys, PlotKeys{});
  const auto flip = [](AxisView& view) {
    view.otherScale = !view.otherScale;
    view.moved = false;  // The shown range may be invalid on the other scale.
  };
  if (asked.otherX) flip(x);
  if (asked.otherY) flip(y);
  if (asked.reset) showAll(x, y, cursor);
  const double factor = std::pow(kStep, asked.zoom);
  const double about = cursor.pinned ? positionOn(shownX, *cursor.pinned) : 0.5;
  if (asked.zoom != 0) zoomAxis(wholeX, shownX, x, about, factor);
  if (asked.zoom != 0 && zoomY) zoomAxis(wholeY, shownY, y, 0.5, factor);
  if (asked.panX != 0) panAxis(wholeX, shownX, x, kKeyPan * asked.panX);
  if (asked.panY != 0) panAxis(wholeY, shownY, y, kKeyPan * asked.panY);
  if (asked.cursor == 0) return;
  const double before = cursor.pinned ? positionOn(shownX, *cursor.pinned) : 0.5;
  cursor.pinned = valueOn(shownX, std::clamp(before + kKeyCursor * asked.cursor, 0.0, 1.0));
}

bool plotInput(const char* id, const Plot& plot, const PlotAxis& wholeX, const PlotAxis& wholeY,
               AxisView& x, AxisView& y, PlotCursor& cursor, const PlotInput& input) {
  const Views views{wholeX, wholeY, x, y};
  if (input.keys != nullptr && *input.keys != PlotKeys{})
    takeKeys(*input.keys, input.zoomY, wholeX, wholeY, plot.x(), plot.y(), x, y, cursor);
  const ImVec2 before = ImGui::GetCursorScreenPos();
  // Includes the axes' texts, so that the wheel works there, too.
  const float em = ImGui::GetFontSize();
  const ImVec2 min{plot.min().x - 3 * em, plot.min().y},
      max{plot.max().x, plot.max().y + 1.5F * em};
  ImGui::SetCursorScreenPos(min);
  ImGui::InvisibleButton(id, {max.x - min.x, max.y - min.y},
                         ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
  const bool released = ImGui::IsItemDeactivated();
  ImGui::SetCursorScreenPos(before);
  const ImGuiIO& io = ImGui::GetIO();
  const ImVec2 at = io.MousePos;
  const bool inFrame = hovered && at.x >= plot.min().x && at.x <= plot.max().x &&
                       at.y >= plot.min().y && at.y <= plot.max().y;
  if (hovered && input.wheel) turnWheel(plot, views, input.zoomY);
  if (hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) {
    showAll(x, y, cursor);
    cursor.doubled = true;
    return inFrame;
  }
  const bool right =
      ImGui::IsMouseDown(ImGuiMouseButton_Right) || ImGui::IsMouseReleased(ImGuiMouseButton_Right);
  const ImGuiMouseButton button = right ? ImGuiMouseButton_Right : ImGuiMouseButton_Left;
  if (!active && !released) return inFrame;
  const ImVec2 from = io.MouseClickedPos[button];
  const bool still = std::abs(at.x - from.x) < kClick && std::abs(at.y - from.y) < kClick;
  if (right || io.KeyShift)
    dragBox(plot, views, button);
  else if (released && still && inFrame && !std::exchange(cursor.doubled, false))
    click(plot, cursor);
  else if (active)
    dragAlong(plot, views);
  return inFrame && !active;
}

}  // namespace tilestep::ui
