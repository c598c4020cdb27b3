// SPDX-License-Identifier: Apache-2.0
// The screen positions of the points' sides, and their colours.
#include <cmath>
#include <cstddef>

#include "features/cube/panel.h"

namespace tilestep::features {
namespace {

using gfx::Point;

/// The size of an individual point as a fraction of its cell: if done, and if not done yet.
constexpr float kSize = 0.62F, kLaterSize = 0.16F;

Point minus(Point a, Point b) {
  return {a.x - b.x, a.y - b.y};
}

/// One side of the box between two positions.
CubeQuad sideOf(const CubePlace& first, const CubePlace& end, CubeSide side,
                const CubeProjection& projection) {
  const auto at = [&](float i, float j, float k) { return projection.at({i, j, k}); };
  if (side == CubeSide::product) {
    const Point corner = at(first.i, first.j, end.k);
    return {corner, minus(at(first.i, end.j, end.k), corner),
            minus(at(end.i, first.j, end.k), corner)};
  }
  const Point corner = at(first.i, first.j, first.k);
  const Point along = minus(at(first.i, first.j, end.k), corner);
  if (side == CubeSide::left) return {corner, along, minus(at(end.i, first.j, first.k), corner)};
  return {corner, along, minus(at(first.i, end.j, first.k), corner)};
}

std::vector<CubeQuad> sidesOfPoint(const CubeFace& face, const CubeProjection& projection) {
  const float size = face.mark.tone == CubeTone::later ? kLaterSize : kSize, gap = (1 - size) / 2;
  const CubePlace first{static_cast<float>(face.row) + gap, static_cast<float>(face.column) + gap,
                        static_cast<float>(face.k) + gap};
  const CubePlace end{first.i + size, first.j + size, first.k + size};
  std::vector<CubeQuad> quads;
  quads.reserve(3);
  for (const CubeSide side : {CubeSide::left, CubeSide::right, CubeSide::product})
    quads.push_back(sideOf(first, end, side, projection));
  return quads;
}

/// The position of `at` along u, from 0 to 1; absent if `at` is outside.
std::optional<float> shareAlong(const CubeQuad& quad, Point at) {
  const Point from = minus(at, quad.corner);
  const float area = quad.u.x * quad.v.y - quad.u.y * quad.v.x;
  if (std::fabs(area) < 1e-9F) return std::nullopt;
  const float s = (from.x * quad.v.y - from.y * quad.v.x) / area;
  const float t = (quad.u.x * from.y - quad.u.y * from.x) / area;
  return s >= 0 && s < 1 && t >= 0 && t < 1 ? std::optional(s) : std::nullopt;
}

}  // namespace

std::vector<CubeQuad> quadsOf(const CubeFace& face, bool separate,
                              const CubeProjection& projection) {
  if (separate) return sidesOfPoint(face, projection);
  const auto count = static_cast<float>(face.count);
  const CubePlace first{static_cast<float>(face.row), static_cast<float>(face.column),
                        static_cast<float>(face.k)};
  const bool product = face.side == CubeSide::product;
  const CubePlace end{first.i + 1, first.j + (product ? count : 1),
                      first.k + (product ? 1 : count)};
  CubeQuad quad = sideOf(first, end, face.side, projection);
  quad.count = face.count;
  return {quad};
}

std::optional<CubePoint> pointUnder(const CubeStep& step, const CubeProjection& projection,
                                    Point place) {
  for (size_t i = step.faces.size(); i-- > 0;) {
    const CubeFace& face = step.faces[i];
    for (const CubeQuad& quad : quadsOf(face, step.separate, projection)) {
      const std::optional<float> share = shareAlong(quad, place);
      if (!share) continue;
      const auto further = static_cast<uint32_t>(*share * static_cast<float>(quad.count));
      const bool product = face.side == CubeSide::product;
      CubePoint found;
      found.row = face.row;
      found.column = face.column + (product && !step.separate ? further : 0);
      found.k = face.k + (product || step.separate ? 0 : further);
      return found;
    }
  }
  return std::nullopt;
}

gfx::Color CubeColours::point(const CubeMark& mark, CubeSide side) const {
  const gfx::Color light = palette.dark ? palette.text : palette.surface;
  const gfx::Color deep = palette.dark ? palette.background : palette.text;
  gfx::Color color = palette.mutedText;
  if (mark.tone == CubeTone::now) color = palette.accent;
  if (mark.tone == CubeTone::done)
    color = gfx::mix(palette.category(0), deep, mark.odd ? 0.34F : 0.08F);
  if (side == CubeSide::left) return gfx::mix(color, deep, 0.36F);
  return side == CubeSide::right ? gfx::mix(color, light, 0.3F) : color;
}

gfx::Color CubeColours::loaded(bool now) const {
  return now ? palette.accent : gfx::mix(palette.category(2), palette.surface, 0.35F);
}

}  // namespace tilestep::features
