// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "gfx/labels/label_text.h"
#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

constexpr float kNowFill = 0.38F;    ///< Opacity of an area that this step accesses.
constexpr float kRibbonFill = 0.6F;  ///< Opacity of a ribbon; a faint one has a third of it.
constexpr float kFrame = 8;          ///< Pixels between a ribbon and the frame of its target.

/// Records the cells appended since `first` as one Stretch.
void closeStretch(Layers& layers, size_t first) {
  const std::vector<RectInstance>& cells = layers.cells.items;
  if (cells.size() == first) return;
  Box hull = cells[first].box;
  for (size_t i = first + 1; i < cells.size(); ++i) include(hull, cells[i].box);
  layers.grids.push_back({hull, first, cells.size() - first});
}

void addAreas(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers) {
  for (size_t i = 0; i < model.panels.size(); ++i)
    for (const Highlight& highlight : model.panels[i].highlights) {
      if (highlight.mark != Mark::now) continue;
      const auto box = boxOf(layout, {Place::In::panel, uint32_t(i), highlight.area});
      if (!box) continue;
      RectInstance area;
      area.box = *box;
      area.fill = withAlpha(palette.accent, kNowFill);
      layers.cells.items.push_back(area);
    }
}

/// The fraction of the path between a point in `box` and a point outside at which the path leaves
/// the box.
float exitOf(const Box& box, Point from, Point to) {
  const float x = to.x > from.x   ? (box.x + box.width - from.x) / (to.x - from.x)
                  : to.x < from.x ? (box.x - from.x) / (to.x - from.x)
                                  : 1;
  const float y = to.y > from.y   ? (box.y + box.height - from.y) / (to.y - from.y)
                  : to.y < from.y ? (box.y - from.y) / (to.y - from.y)
                                  : 1;
  return std::clamp(std::min(x, y), 0.0F, 1.0F);
}

/// The greatest width of a ribbon. It depends only on the layout's sizes, so that the ribbons of
/// adjacent scenes have the same scale.
float widestRibbon(const Layout& layout) {
  float narrowest = 5 * layout.textHeight;
  for (const Grid& grid : layout.threads)
    narrowest = std::min({narrowest, 0.5F * grid.box.width, 0.5F * grid.box.height});
  // The ribbon of a one-row array is no wider than a line of text, because the array's header is
  // close by.
  const auto isRow = [](const Grid& grid) { return grid.box.height <= 1.5F * grid.cell; };
  for (const auto* grids : {&layout.panels, &layout.arrays})
    if (std::ranges::any_of(*grids, isRow)) narrowest = std::min(narrowest, layout.textHeight);
  return narrowest;
}

bool crosses(const Box& box, Point from, Point to) {
  constexpr int kPoints = 32;
  for (int i = 0; i <= kPoints; ++i) {
    const float t = float(i) / kPoints;
    if (box.contains({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t})) return true;
  }
  return false;
}

/// Whether the straight path between two ends crosses a matrix that contains neither end.
bool crossesMatrix(const Layout& layout, const Ribbon& ribbon, Point from, Point to) {
  const auto isEnd = [](const Ribbon::End& end, size_t panel) {
    return end.in == Place::In::panel && end.index == panel;
  };
  for (size_t i = 0; i < layout.panels.size(); ++i)
    if (!isEnd(ribbon.from, i) && !isEnd(ribbon.to, i) && crosses(layout.panels[i].box, from, to))
      return true;
  return false;
}

/// A path to the lower right with one right angle, for a ribbon that would otherwise cross a
/// matrix. The angle is where tiles in shared memory would be. The two parts meet at whole pixels,
/// so that their smooth edges leave no visible line between them.
RibbonPlace aroundMatrix(const Box& area, const Box& grid, const Box& to, float width) {
  width = 2 * std::max(std::round(width / 2), 1.0F);
  const Point middle{std::round(area.center().x), std::round(area.center().y)};
  const bool down = to.x - (grid.x + grid.width) < to.y - (grid.y + grid.height);
  if (down) {
    const Point bend{std::round(to.center().x), middle.y};
    return {Point{area.x + area.width + kFrame, middle.y}, bend, {bend.x, to.y - kFrame}, width};
  }
  const Point bend{middle.x, std::round(to.center().y)};
  return {Point{middle.x, area.y + area.height + kFrame}, bend, {to.x - kFrame, bend.y}, width};
}

/// The box where a ribbon arrives, including the header, which stays free. Ribbons from threads or
/// tiles to a matrix arrive from below or from the right.
Box withHeader(const Layout& layout, const Ribbon& ribbon, Box box) {
  const Ribbon::End& end = ribbon.to;
  const Grid* grid = gridOf(layout, {end.in, end.index, 0, 0});
  const bool above = end.in != Place::In::panel || ribbon.from.in == Place::In::panel;
  const bool atTop = grid != nullptr && end.area.row == 0 && above;
  const float header = atTop ? grid->headerHeight : 0;
  return {box.x, box.y - header, box.width, box.height + header};
}

void addRibbons(const SceneModel& model, const Layout& layout, const Palette& palette,
                Layers& layers) {
  for (const Ribbon& ribbon : model.ribbons) {
    const auto place = ribbonPlace(layout, ribbon);
    if (!place) continue;
    const float length = std::hypot(place->to.x - place->from.x, place->to.y - place->from.y);
    LineInstance line;
    line.from = place->from;
    line.to = place->to;
    line.widthPx = place->width;
    // A short path has a small head, so that it still looks like an arrow.
    line.headPx = std::max(std::min(1.3F * line.widthPx + 8, length), 1.2F * line.widthPx);
    line.arrowPx = std::min(0.5F * line.headPx, 0.45F * length);
    line.color = withAlpha(palette.category(0), model.isolated ? kRibbonFill / 3 : kRibbonFill);
    if (place->start)
      line.skipPx = line.widthPx / 2;  // The ribbon's first part contains the corner.
    layers.ribbons.items.push_back(line);
    if (!place->start) continue;
    line.to = line.from;
    line.from = *place->start;
    line.arrowPx = line.headPx = line.skipPx = 0;
    line.reachPx = line.widthPx / 2;
    layers.ribbons.items.push_back(line);
  }
}

/// Fills a square with dots from the upper left, row by row.
void addDots(const Box& box, uint32_t dots, uint32_t most, Color color, Layers& layers) {
  const auto side = uint32_t(std::ceil(std::sqrt(float(std::max(most, 1U)))));
  const float step = box.width / float(side);
  for (uint32_t i = 0; i < dots; ++i) {
    RectInstance dot;
    const uint32_t row = i / side, column = i % side;
    dot.box = {box.x + float(column) * step + 0.15F * step,
               box.y + float(row) * step + 0.15F * step, 0.7F * step, 0.7F * step};
    dot.radius = 0.5F;
    dot.snap = 0;
    dot.fill = color;
    layers.cells.items.push_back(dot);
  }
}

void addSample(const SceneModel& model, const Layout& layout, const Palette& palette,
               Layers& layers) {
  const auto places = samplePlaces(model, layout);
  if (!places) return;
  for (size_t i = 0; i < model.sample->dots.size(); ++i) {
    const Box& box = places->boxes[i];
    RectInstance frame;
    frame.box = box;
    frame.radiusPx = 4;
    frame.borderPx = 1;
    frame.border = palette.strongLine;
    frame.fill = palette.surface;
    layers.cells.items.push_back(frame);
    const float margin = 0.06F * box.width;
    addDots({box.x + margin, box.y + margin, box.width - 2 * margin, box.height - 2 * margin},
            model.sample->dots[i], model.sample->most,
            model.sample->fromGlobal ? palette.accent : palette.category(0), layers);
  }
}

}  // namespace

std::optional<RibbonPlace> ribbonPlace(const Layout& layout, const Ribbon& ribbon) {
  const auto from = boxOf(layout, ribbon.from), end = boxOf(layout, ribbon.to);
  if (!from || !end) return std::nullopt;
  const Box to = withHeader(layout, ribbon, *end);
  const Point a = from->center(), b = end->center();
  const float length = std::hypot(b.x - a.x, b.y - a.y);
  if (length <= 0) return std::nullopt;
  const float width = std::max(1.0F, widestRibbon(layout) * ribbon.share);
  const Grid* grid = gridOf(layout, {ribbon.from.in, ribbon.from.index, 0, 0});
  if (grid != nullptr && b.x > a.x && b.y > a.y && crossesMatrix(layout, ribbon, a, b))
    return aroundMatrix(*from, grid->box, to, width);
  const float start = std::min(0.45F, exitOf(*from, a, b) + kFrame / length);
  const float stop = std::max(0.55F, 1 - exitOf(to, b, a) - kFrame / length);
  return RibbonPlace{std::nullopt,
                     {a.x + (b.x - a.x) * start, a.y + (b.y - a.y) * start},
                     {a.x + (b.x - a.x) * stop, a.y + (b.y - a.y) * stop},
                     width};
}

std::optional<Box> boxOf(const Layout& layout, const Ribbon::End& end) {
  const Grid* grid = gridOf(layout, {end.in, end.index, end.area.row, end.area.column});
  if (grid == nullptr) return std::nullopt;
  const Box first = grid->cellBox(end.area.row, end.area.column);
  return Box{first.x, first.y, float(end.area.columns) * grid->cell,
             float(end.area.rows) * grid->cell};
}

std::optional<SamplePlaces> samplePlaces(const SceneModel& model, const Layout& layout) {
  if (!model.sample || model.sample->columns == 0 || model.sample->dots.empty())
    return std::nullopt;
  const auto columns = model.sample->columns;
  const auto rows = uint32_t((model.sample->dots.size() + columns - 1) / columns);
  const float text = layout.textHeight, lines = 2.6F * text, gap = 0.4F * text;
  const Box& corner = layout.corner;
  const float side = std::min((corner.width - gap * float(columns - 1)) / float(columns),
                              (corner.height - lines - gap * float(rows - 1)) / float(rows));
  const float caption =
      guessedWidth(model.sample->caption, std::max(0.85F * text, layout.leastText));
  if (side < 1.4F * text || caption > corner.width) return std::nullopt;
  SamplePlaces places;
  const float square = std::min(side, 5 * text);
  places.caption = {corner.x, corner.y + 0.5F * text};
  for (uint32_t i = 0; i < model.sample->dots.size(); ++i) {
    const uint32_t row = i / columns, column = i % columns;
    places.boxes.push_back({corner.x + float(column) * (square + gap),
                            corner.y + lines + float(row) * (square + gap), square, square});
  }
  return places;
}

Color cellColor(const SceneModel& model, float shade, const Palette& palette) {
  return model.overview ? mix(palette.surface, palette.category(0), 0.55F) : valueColor(shade);
}

void addOverview(const SceneModel& model, const Layout& layout, const Palette& palette,
                 Layers& layers) {
  const size_t first = layers.cells.items.size();
  if (model.overview) addAreas(model, layout, palette, layers);
  addSample(model, layout, palette, layers);
  closeStretch(layers, first);
  addRibbons(model, layout, palette, layers);
}

}  // namespace tilestep::gfx
