// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "gfx/camera.h"
#include "gfx/palette.h"

/// A picture as shapes in drawing order. All lengths are in ImGui coordinates.
namespace tilestep::gfx {

enum class Typeface : uint8_t { text, strong, mono };

/// A piece of text on one line.
struct TextShape {
  std::string text;  ///< UTF-8.
  Box box;           ///< From the first to the last pen position, and the height of a line.
  float baseline = 0;
  float em = 0;     ///< The font's em; `box` has the height of a line.
  float space = 0;  ///< The width of a space in this font.
  Typeface face = Typeface::text;
  Color color;
  /// Rotation of the text about its first baseline position in radians, clockwise on the screen.
  /// `box` and `baseline` describe the text before rotation.
  float angle = 0;
  bool goesOn = false;  ///< A clip rectangle hides the rest of the characters.
};

struct PolygonShape {
  std::vector<Point> corners;
  Color fill;
};

/// A rectangle with rounded corners; the border is inside it.
struct BoxShape {
  Box box;
  float radius = 0;
  Color fill{0, 0, 0, 0};
  Color border{0, 0, 0, 0};
  float borderWidth = 0;
  bool dashed = false;
  /// Stripes over the fill: none, rising (not written yet) or falling (never computed).
  enum class Hatch : uint8_t { none, rising, falling };
  Hatch hatch = Hatch::none;
  Color hatchColor;
};

struct LineShape {
  Point from, to;
  float width = 1;
  Color color;
};

/// An image whose pixels are equal rectangles of the box, without smoothing.
struct ImageShape {
  Box box;
  uint32_t columns = 0, rows = 0;
  std::vector<uint8_t> rgba;  ///< Four bytes per pixel, top row first.
};

struct Shape {
  std::variant<TextShape, PolygonShape, BoxShape, LineShape, ImageShape> what;
  Box clip;           ///< Only the part of the shape inside this box is visible.
  std::string panel;  ///< The ImGui window that drew it; empty for a scene.
};

struct Drawing {
  std::vector<Shape> shapes;
};

/// A point rotated about the origin, clockwise on the screen; `angle` is in radians.
[[nodiscard]] Point turned(Point at, float angle);

[[nodiscard]] Box boundsOf(const Shape& shape);

/// Whether `inner` is inside `outer`. This function and the next two ignore a hundredth of a pixel.
[[nodiscard]] bool isInside(const Box& inner, const Box& outer);
/// Whether two boxes share an area or an edge.
[[nodiscard]] bool touch(const Box& one, const Box& other);
/// Whether two boxes share an area.
[[nodiscard]] bool overlap(const Box& one, const Box& other);

/// Twice the area of a polygon; positive if its corners run clockwise on the screen.
[[nodiscard]] double twiceArea(const std::vector<Point>& corners);

}  // namespace tilestep::gfx
