// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/kit/plot.h"

/// The texts of a plot, which avoid each other and the points.
namespace tilestep::ui {
namespace {

/// A possible position of a text that is rotated by a line's angle.
struct TurnedText {
  ImVec2 corner;  ///< The text's top left corner.
  ImVec2 along;   ///< A unit vector along the line.
  ImVec2 size;

  /// Converts a point of the text's own box to screen pixels.
  [[nodiscard]] ImVec2 at(float x, float y) const {
    return {corner.x + x * along.x - y * along.y, corner.y + x * along.y + y * along.x};
  }
};

float distanceTo(const PlotSegment& line, ImVec2 point) {
  const ImVec2 way{line.to.x - line.from.x, line.to.y - line.from.y};
  const float squared = way.x * way.x + way.y * way.y;
  const float dot = (point.x - line.from.x) * way.x + (point.y - line.from.y) * way.y;
  const float share = squared > 0 ? std::clamp(dot / squared, 0.0F, 1.0F) : 0;
  return std::hypot(point.x - line.from.x - share * way.x, point.y - line.from.y - share * way.y);
}

void drawTurned(ImDrawList& list, const TurnedText& place, std::string_view text, ImU32 colour) {
  // The text is first drawn horizontally inside the clip rectangle, so that nothing is cut off.
  const ImVec2 level = list.GetClipRectMin();
  const ImVec2 start{std::ceil(level.x), std::ceil(level.y)};
  const int before = list.VtxBuffer.Size;
  list.AddText(start, colour, text.data(), text.data() + text.size());
  for (int i = before; i < list.VtxBuffer.Size; ++i) {
    ImVec2& pos = list.VtxBuffer[i].pos;
    pos = place.at(pos.x - start.x, pos.y - start.y);
  }
}

}  // namespace

bool Plot::text(ImVec2 corner, std::string_view text, ImU32 colour, ImU32 box) {
  const char* end = text.data() + text.size();
  const ImVec2 size = ImGui::CalcTextSize(text.data(), end);
  const Rect rect{corner, {corner.x + size.x, corner.y + size.y}};
  if (!isFree(rect)) return false;
  if (box != 0)
    list_.AddRectFilled({rect.min.x - 2, rect.min.y}, {rect.max.x + 2, rect.max.y}, box, 2);
  list_.AddText(corner, colour, text.data(), end);
  take(rect);
  return true;
}

bool Plot::textAlong(const std::vector<PlotSegment>& lines, size_t own, std::string_view text,
                     ImU32 colour) {
  const PlotSegment& line = lines[own];
  const ImVec2 way{line.to.x - line.from.x, line.to.y - line.from.y};
  const float length = std::hypot(way.x, way.y);
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
  if (length < size.x || size.x > max_.x - min_.x) return false;
  const ImVec2 along{way.x / length, way.y / length};
  const float gap = 0.15F * ImGui::GetFontSize() + unit_;
  // The rotated text is covered by small squares in a row.
  const float half = 0.4F * size.y;
  const int squares = std::max(1, static_cast<int>(std::ceil(size.x / size.y)));
  const auto squareOf = [&](const TurnedText& place, int i) {
    const float share = (static_cast<float>(i) + 0.5F) / static_cast<float>(squares);
    const ImVec2 at = place.at(share * size.x, size.y / 2);
    return Rect{{at.x - half, at.y - half}, {at.x + half, at.y + half}};
  };
  const auto isPlaceFree = [&](const TurnedText& place) {
    for (int i = 0; i < squares; ++i) {
      const Rect square = squareOf(place, i);
      const ImVec2 middle{square.min.x + half, square.min.y + half};
      if (!isFree(square)) return false;
      for (size_t other = 0; other < lines.size(); ++other)
        if (other != own && distanceTo(lines[other], middle) < 0.8F * size.y) return false;
    }
    return true;
  };
  constexpr int kPlaces = 40;
  for (int i = 0; i <= kPlaces; ++i) {  // From the middle outwards, above the line and below it.
    const int step = (i + 1) / 2 * (i % 2 == 0 ? 1 : -1);
    const float start =
        length / 2 - size.x / 2 + (length - size.x) * static_cast<float>(step) / kPlaces;
    for (const float off : {-gap - size.y, gap}) {
      TurnedText place{line.from, along, size};
      place.corner = place.at(start, off);
      if (!isPlaceFree(place)) continue;
      drawTurned(list_, place, text, colour);
      for (int square = 0; square < squares; ++square) take(squareOf(place, square));
      return true;
    }
  }
  return false;
}

void Plot::take(const Rect& rect) {
  const float gap = 0.4F * ImGui::GetFontSize();
  taken_.push_back({{rect.min.x - gap, rect.min.y}, {rect.max.x + gap, rect.max.y}});
}

bool Plot::isFree(const Rect& rect) const {
  const bool isInside = rect.min.x >= min_.x && rect.min.y >= min_.y && rect.max.x <= max_.x &&
                        rect.max.y <= max_.y;  // False for NaN.
  if (!isInside) return false;
  return std::ranges::none_of(taken_, [&](const Rect& other) {
    return rect.min.x < other.max.x && other.min.x < rect.max.x && rect.min.y < other.max.y &&
           other.min.y < rect.max.y;
  });
}

bool Plot::label(double x, double y, std::string_view text, ImU32 colour, ImU32 box) {
  const ImVec2 size = ImGui::CalcTextSize(text.data(), text.data() + text.size());
  const ImVec2 at = pixel(x, y);
  const float gap = 0.5F * ImGui::GetFontSize();
  const float w = size.x, h = size.y;
  for (int ring = 1; ring <= 5; ++ring) {
    const float d = gap * static_cast<float>(ring);
    const std::array<ImVec2, 8> places{{{d, -h - d * 0.3F},
                                        {d, d * 0.3F},
                                        {-w - d, -h - d * 0.3F},
                                        {-w - d, d * 0.3F},
                                        {-w / 2, -h - d},
                                        {-w / 2, d},
                                        {d, -h / 2},
                                        {-w - d, -h / 2}}};
    for (const ImVec2& place : places)
      if (this->text({at.x + place.x, at.y + place.y}, text, colour, box)) return true;
  }
  return false;
}

}  // namespace tilestep::ui
