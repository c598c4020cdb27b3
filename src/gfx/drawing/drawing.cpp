// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/drawing.h"

#include <algorithm>
#include <cmath>

namespace tilestep::gfx {
namespace {

constexpr float kHair = 0.01F;  ///< Pixels.

Box around(const std::vector<Point>& points, float margin) {
  if (points.empty()) return {};
  Point low = points.front(), high = low;
  for (const Point& p : points) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  }
  return {low.x - margin, low.y - margin, high.x - low.x + 2 * margin, high.y - low.y + 2 * margin};
}

struct Bounds {
  Box operator()(const TextShape& text) const {
    const Box& box = text.box;
    if (text.angle == 0) return box;
    std::vector<Point> corners;
    for (const float x : {0.0F, box.width})
      for (const float y : {box.y - text.baseline, box.y + box.height - text.baseline}) {
        const Point at = turned({x, y}, text.angle);
        corners.push_back({box.x + at.x, text.baseline + at.y});
      }
    return around(corners, 0);
  }
  Box operator()(const PolygonShape& polygon) const { return around(polygon.corners, 0); }
  Box operator()(const BoxShape& box) const { return box.box; }
  Box operator()(const LineShape& line) const {
    return around({line.from, line.to}, line.width / 2);
  }
  Box operator()(const ImageShape& image) const { return image.box; }
};

}  // namespace

Point turned(Point at, float angle) {
  const float sine = std::sin(angle), cosine = std::cos(angle);
  return {at.x * cosine - at.y * sine, at.x * sine + at.y * cosine};
}

Box boundsOf(const Shape& shape) {
  return std::visit(Bounds{}, shape.what);
}

bool isInside(const Box& inner, const Box& outer) {
  return inner.x >= outer.x - kHair && inner.y >= outer.y - kHair &&
         inner.x + inner.width <= outer.x + outer.width + kHair &&
         inner.y + inner.height <= outer.y + outer.height + kHair;
}

bool touch(const Box& one, const Box& other) {
  return one.x <= other.x + other.width + kHair && other.x <= one.x + one.width + kHair &&
         one.y <= other.y + other.height + kHair && other.y <= one.y + one.height + kHair;
}

bool overlap(const Box& one, const Box& other) {
  return one.x + kHair < other.x + other.width && other.x + kHair < one.x + one.width &&
         one.y + kHair < other.y + other.height && other.y + kHair < one.y + one.height;
}

double twiceArea(const std::vector<Point>& corners) {
  double sum = 0;
  for (size_t i = 0; i < corners.size(); ++i) {
    const Point &a = corners[i], &b = corners[(i + 1) % corners.size()];
    sum += double(a.x) * b.y - double(b.x) * a.y;
  }
  return sum;
}

}  // namespace tilestep::gfx
