// SPDX-License-Identifier: Apache-2.0
#include "features/cube/panel_labels.h"

#include <algorithm>
#include <cmath>

namespace tilestep::features {
namespace {

using gfx::Point;

/// "i: m = 8", or "i = 4…7 of 8" if only a part is shown.
std::string axisText(const std::string& index, const std::string& size, uint32_t first,
                     uint32_t count, uint32_t all, bool part) {
  if (!part) return index + ": " + size + " = " + std::to_string(all);
  return index + " = " + std::to_string(first) + "…" + std::to_string(first + count - 1) + " of " +
         std::to_string(all);
}

Point middle(Point a, Point b) {
  return {(a.x + b.x) / 2, (a.y + b.y) / 2};
}

}  // namespace

CubeLabels::CubeLabels(const Context& context, const CubeTrace& cube, const CubeTurn& turn)
    : context_(context),
      left_(cube.shape.leftName),
      right_(cube.shape.rightName),
      product_(cube.shape.productName),
      depth_("k = " + std::to_string(cube.shape.depth)),
      gap_(0.45F * context.em) {
  const ProductArea& block = cube.block;
  rows_ = axisText("i", "m", block.top, block.rows, cube.shape.rows, turn.blockAlone);
  columns_ = axisText("j", "n", block.left, block.columns, cube.shape.columns, turn.blockAlone);
}

float CubeLabels::widthOf(const std::string& what, bool name) const {
  ImFont* font = name ? context_.fonts.strong : context_.fonts.small;
  const float pixels = name ? context_.fonts.textPixels : context_.fonts.smallPixels;
  return font->CalcTextSizeA(pixels, 1e9F, 0, what.c_str()).x;
}

gfx::Box CubeLabels::inside(const gfx::Box& box) {
  box_ = box;
  const float line = context_.fonts.smallPixels + gap_;
  const float above = context_.fonts.textPixels + gap_, below = line + gap_;
  const float before = std::max(widthOf(depth_, false) / 2, widthOf(left_, true)) + gap_;
  const float after = widthOf(rows_, false) + 3 * gap_;
  return {box.x + before, box.y + above, std::max(box.width - before - after, 1.0F),
          std::max(box.height - above - below, 1.0F)};
}

void CubeLabels::text(ImDrawList& list, Point at, const std::string& what, bool name) const {
  const float pixels = name ? context_.fonts.textPixels : context_.fonts.smallPixels;
  const float right = box_.x + box_.width - widthOf(what, name),
              low = box_.y + box_.height - pixels;
  const ImVec2 place{std::floor(std::clamp(at.x, box_.x, std::max(box_.x, right))),
                     std::floor(std::clamp(at.y, box_.y, std::max(box_.y, low)))};
  list.AddText(name ? context_.fonts.strong : context_.fonts.small, pixels, place,
               colour(name ? context_.palette.text : context_.palette.mutedText), what.c_str());
}

void CubeLabels::arrow(ImDrawList& list, Point from, Point to, Point off) const {
  const ImVec2 a{from.x + off.x, from.y + off.y}, b{to.x + off.x, to.y + off.y};
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length < context_.em) return;
  const float size = 0.36F * context_.em;
  const ImVec2 along{(b.x - a.x) / length, (b.y - a.y) / length};
  const ImVec2 base{b.x - size * along.x, b.y - size * along.y};
  const ImU32 color = colour(context_.palette.mutedText);
  list.AddLine(a, base, color, std::max(1.0F, context_.em / 16));
  const ImVec2 across{-0.45F * size * along.y, 0.45F * size * along.x};
  list.AddTriangleFilled(b, {base.x + across.x, base.y + across.y},
                         {base.x - across.x, base.y - across.y}, color);
}

void CubeLabels::draw(ImDrawList& list, const CubeProjection& projection) const {
  const auto& [a, b] = projection.shown();
  const float small = context_.fonts.smallPixels;
  const Point top = projection.at({a.i, b.j, b.k}), bottom = projection.at({b.i, b.j, b.k});
  arrow(list, top, bottom, {gap_, 0});
  text(list, {top.x + 2 * gap_, middle(top, bottom).y - small / 2}, rows_, false);
  text(list, {top.x + gap_, top.y - context_.fonts.textPixels - 0.4F * gap_}, product_, true);

  const Point near = projection.at({b.i, a.j, b.k});
  arrow(list, near, bottom, {0, gap_});
  const Point across = middle(near, bottom);
  text(list, {across.x + gap_, across.y + 1.6F * gap_}, columns_, false);

  const Point far = projection.onLeft(b.i, a.k), front = projection.onLeft(b.i, b.k);
  arrow(list, far, front, {0, gap_});
  const Point along = middle(far, front);
  text(list, {along.x - widthOf(depth_, false) - gap_, along.y + 1.6F * gap_}, depth_, false);

  const Point edge = middle(projection.onLeft(a.i, a.k), projection.onLeft(a.i, b.k));
  text(list, {edge.x - widthOf(left_, true) / 2, edge.y - context_.fonts.textPixels - 1.4F * gap_},
       left_, true);
  const Point back = middle(projection.onRight(a.k, a.j), projection.onRight(a.k, b.j));
  text(list, {back.x - widthOf(right_, true) / 2, back.y - context_.fonts.textPixels - 0.6F * gap_},
       right_, true);
}

}  // namespace tilestep::features
