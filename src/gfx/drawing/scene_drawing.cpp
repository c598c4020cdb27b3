// SPDX-License-Identifier: Apache-2.0
#include "gfx/drawing/scene_drawing.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

/// Produces the same picture as shaders/*.vert and *.frag, at one pixel per ImGui coordinate.
class SceneWriter {
 public:
  SceneWriter(const SceneCall& scene, Drawing& drawing)
      : scene_(scene), layers_(*scene.layers), view_(scene.view.viewport), drawing_(drawing) {}

  void write() {
    for (const MatrixQuad& quad : layers_.matrices) addMatrix(quad);
    for (const RectInstance& mark : layers_.marks.items) addRect(mark, true);
    for (const RectInstance& cell : layers_.cells.items) addRect(cell, false);
    const bool moving = scene_.progress < 1 && !layers_.flights.empty();
    const float share = eased(scene_.progress);
    addLines(layers_.ribbons.items, 0);
    if (!moving) addLines(layers_.lines.items, 0);
    for (const Flight& flight : layers_.flights)
      if (moving) addLines(flight.paths.items, share);
    for (const Flight& flight : layers_.flights)
      if (moving) addMovers(flight.movers.items, share);
  }

 private:
  [[nodiscard]] Point onScreen(Point world) const {
    const Point at = scene_.camera.toScreen(world);
    return {view_.x + at.x, view_.y + at.y};
  }
  [[nodiscard]] Box onScreen(const Box& world) const {
    const Box box = scene_.camera.toScreen(world);
    return {view_.x + box.x, view_.y + box.y, box.width, box.height};
  }
  /// The box with its edges on whole pixels.
  static Box snapped(const Box& box) {
    const float left = std::floor(box.x + 0.5F), top = std::floor(box.y + 0.5F);
    return {left, top, std::floor(box.x + box.width + 0.5F) - left,
            std::floor(box.y + box.height + 0.5F) - top};
  }
  static Box shrunk(const Box& box, float by) {
    return {box.x + by, box.y + by, box.width - 2 * by, box.height - 2 * by};
  }

  template <class What>
  void add(What what) {
    addCut(std::move(what), view_);
  }
  template <class What>
  void addCut(What what, const Box& clip) {
    const float left = std::max(clip.x, view_.x), top = std::max(clip.y, view_.y);
    const Box cut{left, top, std::min(clip.x + clip.width, view_.x + view_.width) - left,
                  std::min(clip.y + clip.height, view_.y + view_.height) - top};
    Shape shape{std::move(what), cut, {}};
    const Box box = boundsOf(shape);
    const bool seen = cut.width > 0 && cut.height > 0 && box.x < cut.x + cut.width &&
                      box.x + box.width > cut.x && box.y < cut.y + cut.height &&
                      box.y + box.height > cut.y;
    if (seen) drawing_.shapes.push_back(std::move(shape));
  }

  // --- Rectangles, lines and movers ------------------------------------------------------------

  void addRect(const RectInstance& rect, bool ring) {
    Box box = onScreen(rect.box);
    if (rect.snap > 0.5F) box = snapped(box);
    const float missingX = std::max(rect.minPx - box.width, 0.0F) / 2;
    const float missingY = std::max(rect.minPx - box.height, 0.0F) / 2;
    box = {box.x - missingX, box.y - missingY, box.width + 2 * missingX, box.height + 2 * missingY};
    box = shrunk(box, std::min(rect.insetPx, std::min(box.width, box.height) / 2 - 0.5F));
    const float shorter = std::min(box.width, box.height);
    const bool filled = rect.fill.a > 0 && !ring;
    float border = std::min(std::floor(rect.borderPx + 0.5F), shorter / 2);
    if (rect.fill.a > 0 && shorter < 9 && rect.borderPx < 1.5F) border = 0;
    if (rect.fill.a > 0) border = std::min(border, std::max(1.0F, std::floor(shorter * 0.15F)));
    const float radius =
        shorter < 8 ? 0 : std::min(std::max(rect.radius * shorter, rect.radiusPx), shorter / 2);
    addGlow(rect, box, radius);
    BoxShape shape{box, radius, {0, 0, 0, 0}, {0, 0, 0, 0}, 0, false};
    if (filled && rect.level < 1) {
      shape.fill = rect.rest;
      if (rect.rest.a > 0) add(shape);
      const float height = box.height * rect.level;
      shape.fill = rect.fill;
      addCut(shape, {box.x, box.y + box.height - height, box.width, height});
    } else if (filled) {
      shape.fill = rect.fill;
      add(shape);
    }
    if (border <= 0 || rect.border.a == 0) return;
    shape.fill = {0, 0, 0, 0};
    shape.border = rect.border;
    shape.borderWidth = border;
    shape.dashed = rect.dash > 0;
    add(shape);
  }

  /// The halo is drawn as two rings of decreasing opacity.
  void addGlow(const RectInstance& rect, const Box& box, float radius) {
    if (rect.glowPx <= 0) return;
    const float width = rect.glowPx / 2;
    for (const auto& [ring, strength] : {std::pair{1.0F, 0.3F}, std::pair{2.0F, 0.1F}}) {
      const float out = ring * width;
      const Color color = withAlpha(rect.border, strength * float(rect.border.a) / 255);
      add(BoxShape{shrunk(box, -out), radius + out, {0, 0, 0, 0}, color, width, false});
    }
  }

  /// `share` is the fraction to omit at the start of each line.
  void addLines(const std::vector<LineInstance>& lines, float share) {
    for (const LineInstance& line : lines) {
      const Point start = onScreen(line.from), end = onScreen(line.to);
      const Point left{start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share};
      const float way = std::max(std::hypot(end.x - left.x, end.y - left.y), 0.001F);
      const Point along{(end.x - left.x) / way, (end.y - left.y) / way};
      const Point from{left.x + along.x * line.skipPx, left.y + along.y * line.skipPx};
      const Point to{end.x + along.x * line.reachPx, end.y + along.y * line.reachPx};
      const float length = std::max(way + line.reachPx - line.skipPx, 0.001F);
      const float arrow = std::min(line.arrowPx, length), shaft = length - 0.8F * arrow;
      const auto place = [&](float on, float across) {
        return Point{from.x + along.x * on - along.y * across,
                     from.y + along.y * on + along.x * across};
      };
      if (line.widthPx > 2) {  // Translucent parts must not overlap.
        const float side = line.widthPx / 2, head = line.headPx / 2,
                    base = std::max(length - arrow, 0.0F);
        add(PolygonShape{{place(0, side), place(base, side), place(base, head), to,
                          place(base, -head), place(base, -side), place(0, -side)},
                         line.color});
        continue;
      }
      if (shaft > 0)
        add(LineShape{from, place(shaft, 0), std::max(line.widthPx, 1.0F), line.color});
      if (arrow > 0)
        add(PolygonShape{
            {to, place(length - arrow, line.headPx / 2), place(length - arrow, -line.headPx / 2)},
            line.color});
    }
  }

  void addMovers(const std::vector<MoverInstance>& movers, float share) {
    for (const MoverInstance& mover : movers) {
      const Point from = onScreen(mover.from.center()), to = onScreen(mover.to.center());
      const float width = mover.from.width + (mover.to.width - mover.from.width) * share;
      const float side = std::max(mover.share * width * scene_.camera.zoom(), 3.0F);
      const Box box{from.x + (to.x - from.x) * share - side / 2,
                    from.y + (to.y - from.y) * share - side / 2, side, side};
      const float border = std::min(2.0F, std::max(1.0F, std::floor(side * 0.15F)));
      add(BoxShape{box, side < 8 ? 0 : 0.2F * side, mover.fill, mover.border, border, false});
    }
  }

  // --- Matrices --------------------------------------------------------------------------------

  void addMatrix(const MatrixQuad& quad) {
    Box box = snapped(onScreen(quad.box));
    box.width = std::max(box.width, 1.0F);
    box.height = std::max(box.height, 1.0F);
    const float cellX = box.width / float(std::max(1U, quad.columns));
    const float cellY = box.height / float(std::max(1U, quad.rows));
    const bool large = std::min(cellX, cellY) >= 12;
    const CellRect whole{0, 0, quad.rows, quad.columns};
    if (!large) add(BoxShape{shrunk(box, -1), 0, layers_.palette.line});
    if (large)
      addCells(quad, box);
    else
      addImage(quad, whole, quad.picture, box, quad.absent);
    if (!large && quad.detail.picture)
      addImage(quad, quad.detail.area, quad.detail.picture, areaOf(quad, quad.detail.area, box),
               false);
    addTileLines(quad, box, cellX, cellY, large);
  }

  static Box areaOf(const MatrixQuad& quad, const CellRect& area, const Box& box) {
    const float cellX = box.width / float(quad.columns), cellY = box.height / float(quad.rows);
    return {box.x + float(area.column) * cellX, box.y + float(area.row) * cellY,
            float(area.columns) * cellX, float(area.rows) * cellY};
  }

  static bool isFocused(const MatrixQuad& quad, uint32_t row, uint32_t column) {
    const size_t count = std::min(quad.focus.size(), MatrixQuad::kMaxFocus);
    return count == 0 || std::any_of(quad.focus.begin(), quad.focus.begin() + std::ptrdiff_t(count),
                                     [&](const CellRect& f) {
                                       return row >= f.row && row < f.row + f.rows &&
                                              column >= f.column && column < f.column + f.columns;
                                     });
  }

  /// NaN if the element is not written, or if the picture is too coarse for single cells.
  static float valueAt(const CellRect& area, const Picture* picture, uint32_t row,
                       uint32_t column) {
    const bool inside = row >= area.row && row < area.row + area.rows && column >= area.column &&
                        column < area.column + area.columns;
    if (picture == nullptr || !inside || picture->rows < area.rows ||
        picture->columns < area.columns)
      return std::nanf("");
    const uint64_t y = uint64_t{row - area.row} * picture->rows / area.rows;
    const uint64_t x = uint64_t{column - area.column} * picture->columns / area.columns;
    return picture->values[y * picture->columns + x];
  }

  [[nodiscard]] Color colorOf(const MatrixQuad& quad, float value, bool focused) const {
    if (std::isnan(value)) return layers_.palette.surface;
    return mix(layers_.palette.surface, valueColor(shadeOf(value, quad.low, quad.high)),
               focused ? 1 : quad.dim);
  }

  void addCells(const MatrixQuad& quad, const Box& box) {
    const float cellX = box.width / float(quad.columns), cellY = box.height / float(quad.rows);
    const auto first = [](float from, float at, float cell) {
      return static_cast<uint32_t>(std::max(0.0F, std::floor((from - at) / cell)));
    };
    const auto last = [](float to, float at, float cell, uint32_t count) {
      return static_cast<uint32_t>(std::clamp(std::ceil((to - at) / cell), 0.0F, float(count)));
    };
    const CellRect whole{0, 0, quad.rows, quad.columns};
    for (uint32_t row = first(view_.y, box.y, cellY);
         row < last(view_.y + view_.height, box.y, cellY, quad.rows); ++row)
      for (uint32_t column = first(view_.x, box.x, cellX);
           column < last(view_.x + view_.width, box.x, cellX, quad.columns); ++column) {
        float value = valueAt(quad.detail.area, quad.detail.picture.get(), row, column);
        const bool detailed = !std::isnan(value);
        if (!detailed) value = valueAt(whole, quad.picture.get(), row, column);
        Box cell =
            snapped({box.x + float(column) * cellX, box.y + float(row) * cellY, cellX, cellY});
        cell.width -= 1;  // The gap.
        cell.height -= 1;
        BoxShape shape{cell, std::min(0.12F * std::min(cell.width, cell.height), 6.0F),
                       colorOf(quad, value, isFocused(quad, row, column))};
        if (std::isnan(value)) {
          shape.hatch = quad.absent ? BoxShape::Hatch::falling : BoxShape::Hatch::rising;
          shape.hatchColor = mix(shape.fill, layers_.palette.line, 0.75F);
        }
        add(shape);
      }
  }

  /// Draws one pixel for each value of the picture.
  void addImage(const MatrixQuad& quad, const CellRect& area,
                const std::shared_ptr<const Picture>& picture, const Box& box, bool absent) {
    if (!picture || picture->rows == 0 || picture->columns == 0) {
      add(BoxShape{box,
                   0,
                   layers_.palette.surface,
                   {0, 0, 0, 0},
                   0,
                   false,
                   absent ? BoxShape::Hatch::falling : BoxShape::Hatch::none,
                   layers_.palette.line});
      return;
    }
    ImageShape image{box, picture->columns, picture->rows, {}};
    image.rgba.reserve(size_t{4} * picture->rows * picture->columns);
    for (uint32_t y = 0; y < picture->rows; ++y)
      for (uint32_t x = 0; x < picture->columns; ++x) {
        const auto row = static_cast<uint32_t>(area.row + uint64_t{y} * area.rows / picture->rows);
        const auto column =
            static_cast<uint32_t>(area.column + uint64_t{x} * area.columns / picture->columns);
        const float value = picture->values[size_t{y} * picture->columns + x];
        const Color c = colorOf(quad, value, isFocused(quad, row, column));
        image.rgba.insert(image.rgba.end(), {c.r, c.g, c.b, c.a});
      }
    add(std::move(image));
  }

  /// Draws lines between tiles, whose opacity depends on the tiles' size and, between small cells,
  /// the grid.
  void addTileLines(const MatrixQuad& quad, const Box& box, float cellX, float cellY, bool large) {
    const float gridFade = (std::min(cellX, cellY) - 4) / 8;
    if (!large && gridFade >= 0) {
      const Color color = withAlpha(layers_.palette.background, 0.35F + 0.6F * gridFade);
      addGrid(quad, box, 1, 1, color, color, 1);
    }
    const auto fade = [](uint32_t spacing, float cell) {
      const float tile = float(spacing) * cell;
      return spacing == 0 || tile < 8 ? 0 : std::clamp((tile - 8) / 16, 0.25F, 1.0F);
    };
    const Color strong = layers_.palette.strongLine;
    addGrid(quad, box, quad.gridColumns, quad.gridRows,
            withAlpha(strong, fade(quad.gridColumns, cellX)),
            withAlpha(strong, fade(quad.gridRows, cellY)), large ? 2 : 1);
  }

  void addGrid(const MatrixQuad& quad, const Box& box, uint32_t everyColumns, uint32_t everyRows,
               Color columns, Color rows, float width) {
    for (uint32_t c = everyColumns; columns.a > 0 && everyColumns > 0 && c < quad.columns;
         c += everyColumns) {
      const float x = std::floor(box.x + box.width * float(c) / float(quad.columns) + 0.5F);
      add(LineShape{{x, box.y}, {x, box.y + box.height}, width, columns});
    }
    for (uint32_t r = everyRows; rows.a > 0 && everyRows > 0 && r < quad.rows; r += everyRows) {
      const float y = std::floor(box.y + box.height * float(r) / float(quad.rows) + 0.5F);
      add(LineShape{{box.x, y}, {box.x + box.width, y}, width, rows});
    }
  }

  const SceneCall& scene_;
  const Layers& layers_;
  Box view_;
  Drawing& drawing_;
};

}  // namespace

void describeScene(const SceneCall& scene, Drawing& drawing) {
  if (scene.layers) SceneWriter(scene, drawing).write();
}

}  // namespace tilestep::gfx
