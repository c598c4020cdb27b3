// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

constexpr size_t kStillLines = 16;   // a pair of panels, without motion
constexpr size_t kMovingPaths = 64;  // above that the paths of movers would be a carpet

Point between(Point a, Point b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t};
}

/// Slow start and end: the eye can follow what leaves and what arrives.
float eased(float t) {
  const float x = std::clamp(t, 0.0F, 1.0F);
  return x * x * (3 - 2 * x);
}

struct Ends {
  Box from, to;
};

const Grid* cellOf(const Layout& layout, const Place& place, Box& cell) {
  const Grid* grid = gridOf(layout, place);
  if (grid != nullptr) cell = grid->cellBox(place.row, place.column);
  return grid;
}

/// The colour of the element on its way: its value where a slot knows it.
Color valueOf(const SceneModel& model, const Link& link, const Palette& palette) {
  const Place& place = link.to.in == Place::In::array ? link.to : link.from;
  if (place.in == Place::In::array) {
    const SlotArray& array = model.arrays[place.index];
    const size_t i = size_t{place.row} * array.columns + place.column;
    if (i < array.slots.size())
      return valueColor(shadeOf(array.slots[i].value, array.low, array.high));
  }
  if (place.in == Place::In::panel) {
    const MatrixPanel& panel = model.panels[place.index];
    const bool whole = panel.picture && panel.picture->rows == panel.rows &&
                       panel.picture->columns == panel.columns;
    const size_t i = size_t{place.row} * panel.columns + place.column;
    if (whole && i < panel.picture->values.size())
      return valueColor(shadeOf(panel.picture->values[i], panel.low, panel.high));
  }
  return palette.surface;
}

void addMover(const Link& link, const Ends& ends, Color value, const Palette& palette, bool path,
              Layers& layers) {
  if (link.progress >= 1) return;
  const float t = eased(link.progress);
  const Point a = ends.from.center(), b = ends.to.center();
  const Point at = between(a, b, t);
  const Color color = link.highlighted ? palette.accent : palette.category(link.warp);
  if (path || link.highlighted) {
    LineInstance line;
    line.from = at;
    line.to = b;
    line.color = withAlpha(color, link.highlighted ? 0.9F : 0.35F);
    layers.lines.items.push_back(line);
  }
  // What is brought travels at full size; what is only read stays, and a token of it leaves.
  const float share = link.from.in == Place::In::array ? 0.45F : 0.86F;
  const float size = share * (ends.from.width + (ends.to.width - ends.from.width) * t);
  RectInstance r;
  r.box = {at.x - size / 2, at.y - size / 2, size, size};
  r.radius = 0.2F;
  r.minPx = 3;
  r.borderPx = 2;
  r.fill = value;
  r.border = color;
  r.snap = 0;
  layers.movers.items.push_back(r);
}

/// A line from the element's edge to the cell's edge, so that neither is covered.
void addStill(const Link& link, const Ends& ends, const Palette& palette, Layers& layers) {
  const Point a = ends.from.center(), b = ends.to.center();
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length <= 0) return;
  LineInstance line;
  line.from = between(a, b, std::min(0.4F, 0.35F * ends.from.width / length));
  line.to = between(b, a, std::min(0.4F, 0.45F * ends.to.width / length));
  line.widthPx = link.highlighted ? 2.0F : 1.0F;
  line.arrowPx = 7;
  line.color = link.highlighted ? palette.accent : withAlpha(palette.category(link.warp), 0.8F);
  layers.lines.items.push_back(line);
}

using Pair = std::tuple<Place::In, uint32_t, Place::In, uint32_t>;

Pair pairOf(const Link& link) {
  return {link.from.in, link.from.index, link.to.in, link.to.index};
}

bool endsOf(const Layout& layout, const Link& link, Ends& ends) {
  return cellOf(layout, link.from, ends.from) != nullptr &&
         cellOf(layout, link.to, ends.to) != nullptr;
}

/// One link of each of kStillLines equal shares, each time one further into the share: links that
/// come row by row then spread over rows and columns.
bool keptOf(size_t i, size_t n) {
  if (n <= kStillLines) return true;
  const size_t share = i * kStillLines / n, start = (share * n + kStillLines - 1) / kStillLines;
  return i - start == share % (n / kStillLines);
}

void addStillLinks(const SceneModel& model, const Layout& layout, const Palette& palette,
                   Layers& layers) {
  std::map<Pair, size_t> total, seen;
  for (const Link& link : model.links) ++total[pairOf(link)];
  for (const Link& link : model.links) {
    const Pair pair = pairOf(link);
    const size_t i = seen[pair]++, n = total[pair];
    if (!link.highlighted && !keptOf(i, n)) continue;
    Ends ends;
    if (endsOf(layout, link, ends)) addStill(link, ends, palette, layers);
  }
}

}  // namespace

const Grid* gridOf(const Layout& layout, const Place& place) {
  const auto in = [&place](const std::vector<Grid>& grids) {
    return place.index < grids.size() ? &grids[place.index] : nullptr;
  };
  switch (place.in) {
    case Place::In::panel:
      return in(layout.panels);
    case Place::In::array:
      return in(layout.arrays);
    case Place::In::threads:
      return in(layout.threads);
    case Place::In::none:
      break;
  }
  return nullptr;
}

void addLinks(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers) {
  if (!model.motion) return addStillLinks(model, layout, palette, layers);
  const bool paths = model.links.size() <= kMovingPaths;
  for (const Link& link : model.links) {
    Ends ends;
    if (endsOf(layout, link, ends))
      addMover(link, ends, valueOf(model, link, palette), palette, paths, layers);
  }
}

}  // namespace tilestep::gfx
