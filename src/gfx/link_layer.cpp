// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

constexpr size_t kStillLines = 16;  // The most strong lines per pair of panels without motion.
constexpr size_t kFaintLines = 64;  // With more links, lines that are not strong are omitted.
constexpr float kStrong = 0.8F, kFaint = 0.3F;  // Opacity.
// With more paths than this, the movers' paths would hide the scene.
constexpr size_t kMovingPaths = 64;

struct Ends {
  Box from, to;
};

const Grid* cellOf(const Layout& layout, const Place& place, Box& cell) {
  const Grid* grid = gridOf(layout, place);
  if (grid != nullptr) cell = grid->cellBox(place.row, place.column);
  return grid;
}

/// The colour of a moving element, which is that of its value if a slot knows the value.
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
              Flight& flight) {
  if (flight.movers.items.empty()) {
    flight.from = ends.from;
    flight.to = ends.to;
  }
  include(flight.from, ends.from);
  include(flight.to, ends.to);
  const Color color = link.highlighted ? palette.accent : palette.warp(link.warp);
  if (path || link.highlighted) {
    LineInstance line;
    line.from = ends.from.center();
    line.to = ends.to.center();
    line.color = withAlpha(color, link.highlighted ? 0.9F : 0.35F);
    flight.paths.items.push_back(line);
  }
  // A loaded element moves at full size. A slot that is only read keeps its value, so a small copy
  // of it moves.
  const float share = link.from.in == Place::In::array ? 0.45F : 0.86F;
  flight.movers.items.push_back({ends.from, ends.to, share, value, color});
}

/// Adds a line from the element's edge to the cell's edge, so that neither is covered.
void addStill(const Link& link, const Ends& ends, bool faint, const Palette& palette,
              Layers& layers) {
  const Point a = ends.from.center(), b = ends.to.center();
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length <= 0) return;
  LineInstance line;
  line.from = between(a, b, std::min(0.4F, 0.35F * ends.from.width / length));
  line.to = between(b, a, std::min(0.4F, 0.45F * ends.to.width / length));
  line.widthPx = link.highlighted ? 2.0F : 1.0F;
  line.arrowPx = faint ? 5 : 7;
  line.headPx = 0.8F * line.arrowPx;
  line.color = link.highlighted ? palette.accent
                                : withAlpha(palette.warp(link.warp), faint ? kFaint : kStrong);
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

/// Divides the links into kStillLines equal parts and keeps one link of each. The kept position
/// moves by one from part to part, so that links in row order are spread over rows and columns.
bool keptOf(size_t i, size_t n) {
  if (n <= kStillLines) return true;
  const size_t share = i * kStillLines / n, start = (share * n + kStillLines - 1) / kStillLines;
  return i - start == share % (n / kStillLines);
}

void addEachStill(const SceneModel& model, const std::vector<Link>& links, const Layout& layout,
                  const Palette& palette, Layers& layers) {
  for (size_t i = 0; i < links.size(); ++i) {
    const Link& link = links[i];
    const bool kept = keptOf(i, links.size());
    const bool faint = !link.highlighted && (model.isolated || !kept);
    if (faint && (model.isolated ? !kept : links.size() > kFaintLines)) continue;
    Ends ends;
    if (endsOf(layout, link, ends)) addStill(link, ends, faint, palette, layers);
  }
}

void addStillLinks(const SceneModel& model, const Layout& layout, const Palette& palette,
                   Layers& layers) {
  std::map<Pair, std::vector<Link>> byPair;
  for (const Link& link : model.links) byPair[pairOf(link)].push_back(link);
  for (auto& [pair, links] : byPair) {
    if (!model.overview && canBundle(links)) {
      addBundles(links, layout, model.isolated ? kFaint : kStrong, palette, layers);
      std::erase_if(links, [](const Link& link) { return !link.highlighted; });
    }
    addEachStill(model, links, layout, palette, layers);
  }
}

}  // namespace

void include(Box& hull, const Box& box) {
  const float right = std::max(hull.x + hull.width, box.x + box.width);
  const float bottom = std::max(hull.y + hull.height, box.y + box.height);
  hull.x = std::min(hull.x, box.x);
  hull.y = std::min(hull.y, box.y);
  hull.width = right - hull.x;
  hull.height = bottom - hull.y;
}

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

float eased(float progress) {
  const float x = std::clamp(progress, 0.0F, 1.0F);
  return x * x * (3 - 2 * x);
}

Box Flight::moversAt(float progress) const {
  const float t = eased(progress);
  const Point corner = between({from.x, from.y}, {to.x, to.y}, t);
  const Point size = between({from.width, from.height}, {to.width, to.height}, t);
  return {corner.x, corner.y, size.x, size.y};
}

Box Flight::pathsAt(float progress) const {
  Box hull = moversAt(progress);
  include(hull, to);
  return hull;
}

void addLinks(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers) {
  addStillLinks(model, layout, palette, layers);
  if (!model.motion) return;
  const bool paths = model.links.size() <= kMovingPaths;
  std::map<Pair, size_t> flights;
  for (const Link& link : model.links) {
    Ends ends;
    if (model.isolated && !link.highlighted) continue;
    if (!endsOf(layout, link, ends)) continue;
    const auto [flight, isNew] = flights.try_emplace(pairOf(link), layers.flights.size());
    if (isNew) layers.flights.emplace_back();
    addMover(link, ends, valueOf(model, link, palette), palette, paths,
             layers.flights[flight->second]);
  }
}

}  // namespace tilestep::gfx
