// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/context.h"

namespace tilestep::ui {
namespace {

std::vector<Tick> ticksOf(const PlotAxis& axis, float pixels, float pixelsPerLabel) {
  if (!axis.ticks.empty()) return axis.ticks;
  const int most = static_cast<int>(pixels / pixelsPerLabel);
  return axis.logarithmic ? logTicks(axis.low, axis.high, most)
                          : linearTicks(axis.low, axis.high, most, axis.whole);
}

float widest(const std::vector<Tick>& ticks) {
  float width = 0;
  for (const Tick& tick : ticks) width = std::max(width, ImGui::CalcTextSize(tick.label.c_str()).x);
  return width;
}

/// Clips a line to [low, high] on both axes, in fractions of the axes. False if nothing remains.
bool clipLine(double low, double high, double& ax, double& ay, double& bx, double& by) {
  double from = 0, to = 1;
  const auto cut = [&](double start, double step) {  // start + t * step >= 0
    if (step == 0) return start >= 0;
    const double t = -start / step;
    if (step > 0)
      from = std::max(from, t);
    else
      to = std::min(to, t);
    return true;
  };
  const double dx = bx - ax, dy = by - ay;
  if (!std::isfinite(dx) || !std::isfinite(dy)) return false;
  const bool there =
      cut(ax - low, dx) && cut(high - ax, -dx) && cut(ay - low, dy) && cut(high - ay, -dy);
  if (!there || !(from <= to)) return false;
  bx = ax + to * dx;
  by = ay + to * dy;
  ax += from * dx;
  ay += from * dy;
  return true;
}

constexpr double kFar = 1e5;  // Pixels; keeps coordinates within the rasteriser's range.

/// Limits a pixel position to ±kFar. An infinite or NaN position becomes -kFar.
float withinFar(double pixels) {
  return static_cast<float>(std::isfinite(pixels) ? std::clamp(pixels, -kFar, kFar) : -kFar);
}

/// The title or, if it is too wide, its first words and "…".
std::string wordsOf(const std::string& title, float width) {
  std::string text = title;
  for (size_t end = title.size(); ImGui::CalcTextSize(text.c_str()).x > width;) {
    end = title.rfind(' ', end - 1);
    if (end == std::string::npos || end == 0) break;
    text = title.substr(0, end) + "…";
  }
  return text;
}

}  // namespace

double positionOn(const PlotAxis& axis, double value) {
  if (!axis.logarithmic) return (value - axis.low) / (axis.high - axis.low);
  const double floor =
      axis.low *
      1e-6;  // Keeps the position of zero and negative values finite, far below the frame.
  return std::log(std::max(value, floor) / axis.low) / std::log(axis.high / axis.low);
}

double valueOn(const PlotAxis& axis, double position) {
  if (!axis.logarithmic) return axis.low + position * (axis.high - axis.low);
  return axis.low * std::pow(axis.high / axis.low, position);
}

void drawMark(ImDrawList& list, ImVec2 at, Mark mark, float radius, ImU32 colour, bool hollow,
              float thickness) {
  std::vector<ImVec2> corners;
  const float r = radius;
  switch (mark) {
    case Mark::circle:
      if (hollow)
        list.AddCircle(at, r, colour, 24, thickness);
      else
        list.AddCircleFilled(at, r, colour, 24);
      return;
    case Mark::square:
      corners = {{-r, -r}, {r, -r}, {r, r}, {-r, r}};
      break;
    case Mark::triangle:
      corners = {{0, -1.2F * r}, {1.1F * r, 0.8F * r}, {-1.1F * r, 0.8F * r}};
      break;
    case Mark::diamond:
      corners = {{0, -1.3F * r}, {1.3F * r, 0}, {0, 1.3F * r}, {-1.3F * r, 0}};
      break;
    case Mark::cross:  // A cross has no interior: a hollow one is thinner.
      for (const float s : {-1.0F, 1.0F})
        list.AddLine({at.x - r, at.y - s * r}, {at.x + r, at.y + s * r}, colour,
                     hollow ? thickness : std::max(0.6F * r, thickness));
      return;
  }
  for (ImVec2& corner : corners) corner = {corner.x + at.x, corner.y + at.y};
  const int count = static_cast<int>(corners.size());
  if (hollow)
    compat::strokeLines(list, corners.data(), count, colour, ImDrawFlags_Closed, thickness);
  else
    list.AddConvexPolyFilled(corners.data(), count, colour);
}

void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float gap) {
  list.PushClipRect(min, max, true);
  const float height = max.y - min.y;
  for (float x = min.x - height; x < max.x; x += gap)
    list.AddLine({x, max.y}, {x + height, min.y}, colour, 1);
  list.PopClipRect();
}

PlotStyle plotStyleOf(const gfx::Palette& p) {
  return {colour(p.strongLine), colour(p.line, 0.7F),   colour(p.text),
          colour(p.mutedText),  colour(p.text, 0.025F), 1.5F};
}

Plot::Plot(ImDrawList& list, ImVec2 min, ImVec2 max, PlotAxis x, PlotAxis y, const PlotStyle& style)
    : list_(list),
      outerMin_(min),
      outerMax_(max),
      x_(std::move(x)),
      y_(std::move(y)),
      style_(style),
      unit_(std::max(1.0F, ImGui::GetFontSize() / 16)) {
  const float em = ImGui::GetFontSize();
  const float left =
      std::max(style_.left, widest(ticksOf(y_, max.y - min.y, 2.2F * em)) + 0.7F * em);
  const float top = y_.title.empty() ? 0.5F * em : 1.5F * em;
  const float bottom = x_.bare ? 0.4F * em : x_.title.empty() ? 1.6F * em : 2.7F * em;
  min_ = {min.x + left, min.y + top};
  max_ = {std::max(min_.x + 8, max.x - 0.5F * em), std::max(min_.y + 8, max.y - bottom)};
  drawAxes();
}

ImVec2 Plot::pixelOf(double shareX, double shareY) const {
  return {static_cast<float>(min_.x + shareX * (max_.x - min_.x)),
          static_cast<float>(max_.y - shareY * (max_.y - min_.y))};
}

ImVec2 Plot::pixel(double x, double y) const {
  const double px = min_.x + positionOn(x_, x) * (max_.x - min_.x);
  const double py = max_.y - positionOn(y_, y) * (max_.y - min_.y);
  return {withinFar(px), withinFar(py)};
}

PlotPoint Plot::value(ImVec2 at) const {
  return {valueOn(x_, (at.x - min_.x) / (max_.x - min_.x)),
          valueOn(y_, (max_.y - at.y) / (max_.y - min_.y))};
}

void Plot::drawAxes() {
  const float em = ImGui::GetFontSize();
  list_.AddRectFilled(min_, max_, style_.background);
  drawTicksX(ticksOf(x_, max_.x - min_.x, 4.5F * em));
  drawTicksY(ticksOf(y_, max_.y - min_.y, 2.2F * em));
  list_.AddRect(min_, max_, style_.frame);
  if (!y_.title.empty()) {
    // Above the frame. A long title begins further left.
    const std::string title = wordsOf(y_.title, outerMax_.x - outerMin_.x);
    const float left = std::min(min_.x, outerMax_.x - ImGui::CalcTextSize(title.c_str()).x);
    list_.AddText({std::max(left, outerMin_.x), outerMin_.y}, style_.faint, title.c_str());
  }
  if (x_.title.empty()) return;
  const std::string title = wordsOf(x_.title, max_.x - outerMin_.x);
  const float width = ImGui::CalcTextSize(title.c_str()).x;
  list_.AddText({std::max(outerMin_.x, max_.x - width), outerMax_.y - 1.2F * em}, style_.faint,
                title.c_str());
}

void Plot::drawTicksX(const std::vector<Tick>& ticks) {
  const float em = ImGui::GetFontSize();
  float free = outerMin_.x;  // Labels that would touch the previous one are omitted.
  for (const Tick& tick : ticks) {
    const float x = std::round(pixel(tick.value, y_.low).x);
    if (!(x >= min_.x - 1 && x <= max_.x + 1)) continue;
    if (tick.label.empty()) {
      list_.AddLine({x, max_.y - 0.25F * em}, {x, max_.y}, style_.grid);
      continue;
    }
    list_.AddLine({x, min_.y}, {x, max_.y}, style_.grid);
    if (x_.bare) continue;
    const float width = ImGui::CalcTextSize(tick.label.c_str()).x;
    const float left = std::min(x - width / 2, outerMax_.x - width);
    if (left < free) continue;
    list_.AddText({left, max_.y + 0.25F * em}, style_.text, tick.label.c_str());
    free = left + width + 0.5F * em;
  }
}

void Plot::drawTicksY(const std::vector<Tick>& ticks) {
  const float em = ImGui::GetFontSize();
  for (const Tick& tick : ticks) {
    const float y = std::round(pixel(x_.low, tick.value).y);
    if (!(y >= min_.y - 1 && y <= max_.y + 1)) continue;
    if (tick.label.empty()) {
      list_.AddLine({min_.x, y}, {min_.x + 0.25F * em, y}, style_.grid);
      continue;
    }
    list_.AddLine({min_.x, y}, {max_.x, y}, style_.grid);
    const ImVec2 size = ImGui::CalcTextSize(tick.label.c_str());
    list_.AddText({min_.x - 0.4F * em - size.x, y - size.y / 2}, style_.text, tick.label.c_str());
  }
}

void Plot::dashedLine(ImVec2 from, ImVec2 to, ImU32 colour, float thickness) {
  const float dx = to.x - from.x, dy = to.y - from.y;
  const float length = std::sqrt(dx * dx + dy * dy);
  if (!(length > 0)) return;
  const float dash = 6 * unit_, gap = 4 * unit_;
  // Far ends are outside the clip rectangle, where dashes would only cost time.
  const float longest = 4000;
  for (float at = 0; at < std::min(length, longest); at += dash + gap) {
    const float end = std::min(at + dash, length);
    list_.AddLine({from.x + dx * at / length, from.y + dy * at / length},
                  {from.x + dx * end / length, from.y + dy * end / length}, colour, thickness);
  }
}

std::optional<PlotSegment> Plot::pixelsWithin(double low, double high, PlotPoint from,
                                              PlotPoint to) const {
  // Cut in double precision: clamping distant ends would change the line's direction.
  double ax = positionOn(x_, from.x), ay = positionOn(y_, from.y);
  double bx = positionOn(x_, to.x), by = positionOn(y_, to.y);
  if (!clipLine(low, high, ax, ay, bx, by)) return std::nullopt;
  return PlotSegment{pixelOf(ax, ay), pixelOf(bx, by)};
}

std::optional<PlotSegment> Plot::pixels(PlotPoint from, PlotPoint to) const {
  constexpr double kNear = 50;  // In frame sizes.
  return pixelsWithin(-kNear, kNear, from, to);
}

std::optional<PlotSegment> Plot::inside(PlotPoint from, PlotPoint to) const {
  return pixelsWithin(0, 1, from, to);
}

void Plot::segment(double x0, double y0, double x1, double y1, ImU32 colour, float thickness,
                   bool dashed) {
  const std::optional<PlotSegment> shown = pixels({x0, y0}, {x1, y1});
  if (!shown) return;
  list_.PushClipRect(min_, max_, true);
  thickness *= unit_;
  if (dashed)
    dashedLine(shown->from, shown->to, colour, thickness);
  else
    list_.AddLine(shown->from, shown->to, colour, thickness);
  list_.PopClipRect();
}

void Plot::line(const std::vector<PlotPoint>& points, ImU32 colour, float thickness, bool dashed) {
  for (size_t i = 1; i < points.size(); ++i)
    segment(points[i - 1].x, points[i - 1].y, points[i].x, points[i].y, colour, thickness, dashed);
}

bool Plot::point(double x, double y, Mark mark, float radius, ImU32 colour, bool hollow) {
  const ImVec2 at = pixel(x, y);
  const bool isInside = at.x >= min_.x - 1 && at.x <= max_.x + 1 && at.y >= min_.y - 1 &&
                        at.y <= max_.y + 1;  // False for NaN.
  if (!isInside) return false;
  drawMark(list_, at, mark, radius, colour, hollow, 2 * unit_);
  const float reach = radius + 3;
  keepClear({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach});
  return ImGui::IsMouseHoveringRect({at.x - reach, at.y - reach}, {at.x + reach, at.y + reach});
}

void Plot::area(const std::vector<PlotPoint>& corners, ImU32 colour) {
  std::vector<ImVec2> pixels;
  for (const PlotPoint& corner : corners) {
    if (!std::isfinite(positionOn(x_, corner.x)) || !std::isfinite(positionOn(y_, corner.y)))
      return;
    pixels.push_back(pixel(corner.x, corner.y));
  }
  list_.PushClipRect(min_, max_, true);
  list_.AddConvexPolyFilled(pixels.data(), static_cast<int>(pixels.size()), colour);
  list_.PopClipRect();
}

bool Plot::change(double x, std::string_view text, ImU32 line, ImU32 colour) {
  const float at = std::round(pixel(x, y_.low).x);
  if (!(at >= min_.x && at <= max_.x)) return false;
  list_.AddLine({at, min_.y}, {at, max_.y}, line);
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
  const float gap = 0.3F * ImGui::GetFontSize();
  // Right of the line, or left of it at the right edge.
  const float left = at + gap + size.x <= max_.x ? at + gap : at - gap - size.x;
  const Rect rect{{left, min_.y + 2}, {left + size.x, min_.y + 2 + size.y}};
  if (text.empty() || !isFree(rect)) return false;
  list_.AddText(rect.min, colour, text.data(), text.data() + text.size());
  take(rect);
  return true;
}

void Plot::cursor(double x, ImU32 colour) {
  const float at = std::round(pixel(x, y_.low).x);
  if (!(at >= min_.x && at <= max_.x)) return;
  list_.AddLine({at, min_.y}, {at, max_.y}, colour, 1);
}

void Plot::readout(double x, const std::vector<PlotReading>& lines) {
  if (lines.empty() || !std::isfinite(positionOn(x_, x))) return;
  const float em = ImGui::GetFontSize(), mark = 0.9F * em, pad = 0.4F * em;
  float width = 0;
  for (const PlotReading& line : lines)
    width =
        std::max(width, ImGui::CalcTextSize(line.text.c_str()).x + (line.colour != 0 ? mark : 0));
  const ImVec2 size{width + 2 * pad,
                    ImGui::GetTextLineHeight() * static_cast<float>(lines.size()) + 2 * pad};
  const float at = pixel(x, y_.low).x;
  const bool left = at + pad + size.x > max_.x;
  // Below the texts of changes, if there is space.
  const float room = max_.y - min_.y - size.y - pad;
  const ImVec2 corner{std::max(left ? at - pad - size.x : at + pad, min_.x + 1),
                      min_.y + std::clamp(room, pad, pad + 1.3F * em)};
  list_.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y},
                      ImGui::GetColorU32(ImGuiCol_PopupBg, 0.94F), 0.25F * em);
  list_.AddRect(corner, {corner.x + size.x, corner.y + size.y}, style_.grid, 0.25F * em);
  ImVec2 text{corner.x + pad, corner.y + pad};
  for (const PlotReading& line : lines) {
    const float middle = text.y + 0.5F * ImGui::GetTextLineHeight();
    if (line.colour != 0)
      list_.AddCircleFilled({text.x + 0.3F * em, middle}, 0.25F * em, line.colour);
    list_.AddText({text.x + (line.colour != 0 ? mark : 0), text.y}, style_.text, line.text.c_str());
    text.y += ImGui::GetTextLineHeight();
  }
}

}  // namespace tilestep::ui
