// SPDX-License-Identifier: Apache-2.0
#include "features/roofline/panel_roof_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace tilestep::ui {
namespace {

struct Rect {
  ImVec2 min, max;
};
using Line = PlotSegment;

ImVec2 between(const Line& line, float share) {
  return {line.from.x + share * (line.to.x - line.from.x),
          line.from.y + share * (line.to.y - line.from.y)};
}

/// The part of a line within a rectangle; nothing where it does not cross it.
std::optional<Line> within(const Line& line, const Rect& rect) {
  float first = 0, last = 1;
  const auto cut = [&](float from, float to, float low, float high) {
    if (from == to) return from >= low && from <= high;
    const float a = (low - from) / (to - from), b = (high - from) / (to - from);
    first = std::max(first, std::min(a, b));
    last = std::min(last, std::max(a, b));
    return true;
  };
  if (!cut(line.from.x, line.to.x, rect.min.x, rect.max.x) ||
      !cut(line.from.y, line.to.y, rect.min.y, rect.max.y) || first >= last)
    return std::nullopt;
  return Line{between(line, first), between(line, last)};
}

float distance(ImVec2 point, const Rect& rect) {
  return std::hypot(std::max({rect.min.x - point.x, 0.0F, point.x - rect.max.x}),
                    std::max({rect.min.y - point.y, 0.0F, point.y - rect.max.y}));
}

float distance(ImVec2 point, const Line& line) {
  const ImVec2 along{line.to.x - line.from.x, line.to.y - line.from.y};
  const float squared = along.x * along.x + along.y * along.y;
  const float share =
      squared > 0
          ? ((point.x - line.from.x) * along.x + (point.y - line.from.y) * along.y) / squared
          : 0;
  const ImVec2 nearest = between(line, std::clamp(share, 0.0F, 1.0F));
  return std::hypot(point.x - nearest.x, point.y - nearest.y);
}

float distance(const Line& line, const Rect& rect) {
  if (within(line, rect)) return 0;
  float least = std::min(distance(line.from, rect), distance(line.to, rect));
  for (const ImVec2 corner :
       {rect.min, ImVec2{rect.max.x, rect.min.y}, rect.max, ImVec2{rect.min.x, rect.max.y}})
    least = std::min(least, distance(corner, line));
  return least;
}

/// Whether all lines but the own one are at least so far away.
bool isClear(const Rect& rect, size_t own, const std::vector<std::optional<Line>>& lines,
             float least) {
  for (size_t i = 0; i < lines.size(); ++i)
    if (i != own && lines[i] && distance(*lines[i], rect) < least) return false;
  return true;
}

/// Tries places along the line, from its middle outwards, on both of its sides. All other lines are
/// at least `clear` times as far away as the own one.
bool write(Plot& plot, const std::string& text, ImU32 colour, ImU32 box, size_t own,
           const std::vector<std::optional<Line>>& lines, float clear) {
  const Line& line = *lines[own];
  const float gap = std::max(0.35F * ImGui::GetFontSize(), 5.0F);
  const float length = std::hypot(line.to.x - line.from.x, line.to.y - line.from.y);
  if (!(length > 0)) return false;
  // Lines rise or are level, so this points down, and to the right where they rise.
  const ImVec2 away{gap * (line.from.y - line.to.y) / length,
                    gap * (line.to.x - line.from.x) / length};
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  constexpr int kPlaces = 40;
  for (int i = 0; i <= kPlaces; ++i) {
    const int step = (i + 1) / 2 * (i % 2 == 0 ? 1 : -1);
    const ImVec2 at = between(line, 0.5F + static_cast<float>(step) / kPlaces);
    const Rect under{{at.x + away.x, at.y + away.y},
                     {at.x + away.x + size.x, at.y + away.y + size.y}};
    const Rect over{{at.x - away.x - size.x, at.y - away.y - size.y},
                    {at.x - away.x, at.y - away.y}};
    for (const Rect& rect : {under, over})
      if (isClear(rect, own, lines, clear * gap) && plot.text(rect.min, text, colour, box))
        return true;
  }
  return false;
}

}  // namespace

void nameRoofs(Plot& plot, const std::vector<RoofName>& names, ImU32 box) {
  std::vector<std::optional<Line>> lines;
  lines.reserve(names.size());
  for (const RoofName& name : names) {
    const auto line = plot.pixels(name.from, name.to);
    lines.push_back(line ? within(*line, {plot.min(), plot.max()}) : std::nullopt);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (!lines[i]) continue;
    const auto isWritten = [&](const std::string& text) {
      return std::ranges::any_of(std::array{3.0F, 2.0F, 1.5F}, [&](float clear) {
        return write(plot, text, names[i].colour, box, i, lines, clear);
      });
    };
    for (const std::string& text : names[i].texts)
      if (isWritten(text)) break;
  }
}

}  // namespace tilestep::ui
