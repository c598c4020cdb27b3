// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/drawing.h"

#include <algorithm>
#include <cmath>

namespace tilestep::gfx {
namespace {

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
  Box operator()(const TextShape& text) const { return text.box; }
  Box operator()(const PolygonShape& polygon) const { return around(polygon.corners, 0); }
  Box operator()(const BoxShape& box) const { return box.box; }
  Box operator()(const LineShape& line) const {
    return around({line.from, line.to}, line.width / 2);
  }
  Box operator()(const ImageShape& image) const { return image.box; }
};

}  // namespace

Box boundsOf(const Shape& shape) {
  return std::visit(Bounds{}, shape.what);
}

}  // namespace tilestep::gfx
