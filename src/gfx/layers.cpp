// SPDX-License-Identifier: Apache-2.0
#include "gfx/layers.h"

#include <algorithm>
#include <utility>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

constexpr float kDimmed = 0.40F;  // The strength of values outside the highlights.

CellRect clipped(const CellRect& area, uint32_t rows, uint32_t columns) {
  CellRect r = area;
  r.row = std::min(r.row, rows);
  r.column = std::min(r.column, columns);
  r.rows = std::min(r.rows, rows - r.row);
  r.columns = std::min(r.columns, columns - r.column);
  return r;
}

bool empty(const CellRect& r) {
  return r.rows == 0 || r.columns == 0;
}

bool covers(const CellRect& a, const CellMark& m) {
  return m.row >= a.row && m.row - a.row < a.rows && m.column >= a.column &&
         m.column - a.column < a.columns;
}

bool extendsBelow(const CellRect& above, const CellRect& r) {
  return above.column == r.column && above.columns == r.columns && above.row + above.rows == r.row;
}

/// Combines marked cells into few rectangles: runs along rows, then equal runs in adjacent rows.
std::vector<CellRect> runsOf(std::vector<CellMark> marks) {
  std::sort(marks.begin(), marks.end(), [](const CellMark& a, const CellMark& b) {
    return std::pair(a.row, a.column) < std::pair(b.row, b.column);
  });
  std::vector<CellRect> runs;
  for (const CellMark& m : marks) {
    if (!runs.empty() && runs.back().row == m.row &&
        runs.back().column + runs.back().columns >= m.column)
      runs.back().columns = m.column - runs.back().column + 1;
    else
      runs.push_back({m.row, m.column, 1, 1});
  }
  std::vector<CellRect> merged;
  for (const CellRect& r : runs) {
    const auto above = std::find_if(merged.begin(), merged.end(),
                                    [&](const CellRect& a) { return extendsBelow(a, r); });
    if (above != merged.end())
      ++above->rows;
    else
      merged.push_back(r);
  }
  return merged;
}

CellRect hull(const std::vector<CellRect>& areas) {
  CellRect h = areas.front();
  for (const CellRect& a : areas) {
    const uint32_t bottom = std::max(h.row + h.rows, a.row + a.rows);
    const uint32_t right = std::max(h.column + h.columns, a.column + a.columns);
    h.row = std::min(h.row, a.row);
    h.column = std::min(h.column, a.column);
    h.rows = bottom - h.row;
    h.columns = right - h.column;
  }
  return h;
}

/// If `isolated`, the cells of the followed thread, or all marked cells if it has none. Otherwise
/// all marked cells.
std::vector<CellRect> focusOf(const MatrixPanel& panel, bool isolated) {
  std::vector<CellRect> focus;
  for (const Highlight& h : panel.highlights)
    if (isolated && h.mark == Mark::followed)
      focus.push_back(clipped(h.area, panel.rows, panel.columns));
  if (!focus.empty() && focus.size() <= MatrixQuad::kMaxFocus) return focus;
  focus.clear();
  for (const Highlight& h : panel.highlights) {
    const CellRect area = clipped(h.area, panel.rows, panel.columns);
    if (!empty(area)) focus.push_back(area);
  }
  std::vector<CellMark> outside;
  for (const CellMark& m : panel.cells) {
    const bool inside = std::any_of(focus.begin(), focus.end(),
                                    [&](const CellRect& area) { return covers(area, m); });
    if (!inside && m.row < panel.rows && m.column < panel.columns) outside.push_back(m);
  }
  const std::vector<CellRect> runs = runsOf(std::move(outside));
  focus.insert(focus.end(), runs.begin(), runs.end());
  if (focus.size() > MatrixQuad::kMaxFocus) focus = {hull(focus)};
  return focus;
}

/// In an overview, the contrast of values is reduced to this fraction, because they are only
/// background.
constexpr float kOverviewContrast = 0.25F;

MatrixQuad quadOf(const SceneModel& model, const MatrixPanel& panel, const Grid& grid,
                  const Palette& palette) {
  MatrixQuad quad;
  quad.box = grid.box;
  quad.rows = panel.rows;
  quad.columns = panel.columns;
  quad.gridRows = panel.gridRows;
  quad.gridColumns = panel.gridColumns;
  quad.picture = panel.picture;
  quad.detail = panel.detail;
  quad.absent = !panel.absent.empty();
  const float middle = (panel.low + panel.high) / 2, half = (panel.high - panel.low) / 2;
  const float reach = model.overview ? half / kOverviewContrast : half;
  quad.low = middle - reach;
  quad.high = middle + reach;
  quad.focus = focusOf(panel, model.isolated);
  quad.dim = quad.focus.empty() ? 1 : (palette.highContrast ? 0.65F : kDimmed);
  return quad;
}

Box areaBox(const Grid& grid, const CellRect& r) {
  return {grid.box.x + float(r.column) * grid.cell, grid.box.y + float(r.row) * grid.cell,
          float(r.columns) * grid.cell, float(r.rows) * grid.cell};
}

RectInstance outline(const Box& box, float grow, float width, Color color) {
  RectInstance r;
  r.box = box;
  r.insetPx = -grow;
  r.borderPx = width;
  r.radiusPx = 3;
  r.minPx = 4;
  r.border = color;
  return r;
}

/// The frame around the grids in global memory.
RectInstance frameOf(const Box& box, const Palette& palette) {
  RectInstance r = outline(box, 0, 1, palette.line);
  r.radiusPx = 6;
  return r;
}

/// Chosen cells get a neutral outline, used cells a thin one. Current cells get the accent colour
/// with a halo and, inside it, a line in the background's colour for contrast with light cells.
void addHighlight(const Highlight& h, const Box& box, const Palette& palette,
                  std::vector<RectInstance>& out) {
  const float bold = palette.highContrast ? 1 : 0;
  if (h.mark == Mark::used) {
    out.push_back(outline(box, 0.5F, 1, withAlpha(palette.strongLine, 0.9F)));
  } else if (h.mark == Mark::chosen) {
    out.push_back(outline(box, 2, 2 + bold, palette.chosen));
  } else if (h.mark == Mark::followed) {
    // A wider line below the dashes gives contrast with light and dark cells.
    out.push_back(outline(box, 0, 3 + bold, palette.background));
    RectInstance r = outline(box, 0, 2 + bold, palette.chosen);
    r.dash = 1;
    out.push_back(r);
  } else if (h.mark == Mark::wrong) {
    out.push_back(outline(box, 0, 2.5F + bold, palette.warning));
  } else {
    RectInstance r = outline(box, 2.5F, 2.5F + bold, palette.accent);
    r.glowPx = 12;
    out.push_back(r);
  }
}

/// Combines the cells of one mark, so that adjacent cells share an outline and a halo.
std::vector<CellRect> runsOfMark(const MatrixPanel& panel, Mark mark) {
  std::vector<CellMark> marks;
  for (const CellMark& m : panel.cells)
    if (m.mark == mark && m.row < panel.rows && m.column < panel.columns) marks.push_back(m);
  return runsOf(std::move(marks));
}

void addPanelMarks(const MatrixPanel& panel, const Grid& grid, const Palette& palette,
                   std::vector<RectInstance>& out) {
  // Later marks are drawn over earlier ones.
  for (const Mark mark : {Mark::used, Mark::chosen, Mark::now, Mark::followed, Mark::wrong}) {
    for (const Highlight& h : panel.highlights) {
      const CellRect area = clipped(h.area, panel.rows, panel.columns);
      if (h.mark == mark && !empty(area))
        addHighlight({area, mark}, areaBox(grid, area), palette, out);
    }
    for (const CellRect& run : runsOfMark(panel, mark))
      addHighlight({run, mark}, areaBox(grid, run), palette, out);
  }
}

}  // namespace

float shadeOf(float value, float low, float high) {
  return high > low ? std::clamp((value - low) / (high - low), 0.0F, 1.0F) : 0.5F;
}

bool drawnAlike(const Layers& a, const Layers& b) {
  const auto same = [](const Flight& x, const Flight& y) {
    return x.movers.hash == y.movers.hash && x.paths.hash == y.paths.hash;
  };
  return a.marks.hash == b.marks.hash && a.cells.hash == b.cells.hash &&
         a.ribbons.hash == b.ribbons.hash && a.lines.hash == b.lines.hash &&
         a.palette == b.palette && a.matrices == b.matrices &&
         std::ranges::equal(a.flights, b.flights, same);
}

namespace {

/// Outlines, halos and arrows are specified for text of height kUsualText and grow with larger
/// text, but never cover small cells.
void enlargeOutlines(float factor, Layers& layers) {
  for (auto* rects : {&layers.marks.items, &layers.cells.items})
    for (RectInstance& rect : *rects) {
      constexpr float kMostOfBox = 0.06F;
      const float most = kMostOfBox * std::min(rect.box.width, rect.box.height);
      rect.borderPx = std::min(rect.borderPx * factor, std::max(rect.borderPx, most));
      if (rect.insetPx < 0) rect.insetPx *= factor;
      for (float* px : {&rect.radiusPx, &rect.glowPx, &rect.minPx}) *px *= factor;
    }
  const auto enlarge = [factor](std::vector<LineInstance>& lines) {
    for (LineInstance& line : lines)
      for (float* px : {&line.widthPx, &line.arrowPx, &line.headPx}) *px *= factor;
  };
  enlarge(layers.lines.items);
  for (Flight& flight : layers.flights) enlarge(flight.paths.items);
}

}  // namespace

Layers buildLayers(std::shared_ptr<const SceneModel> model, const Layout& layout,
                   const Palette& palette) {
  Layers layers;
  layers.palette = palette;
  layers.layout = layout;
  for (size_t i = 0; i < model->panels.size(); ++i) {
    const MatrixPanel& panel = model->panels[i];
    layers.matrices.push_back(quadOf(*model, panel, layout.panels[i], palette));
    addPanelMarks(panel, layout.panels[i], palette, layers.marks.items);
  }
  for (const Box& frame : layout.frames) layers.marks.items.push_back(frameOf(frame, palette));
  addOverview(*model, layout, palette, layers);
  addSlots(*model, layout, palette, layers);
  addLinks(*model, layout, palette, layers);
  enlargeOutlines(std::max(1.0F, layout.textHeight / kUsualText), layers);
  layers.marks.hash = contentHash(layers.marks.items);
  layers.cells.hash = contentHash(layers.cells.items);
  layers.ribbons.hash = contentHash(layers.ribbons.items);
  layers.lines.hash = contentHash(layers.lines.items);
  for (Flight& flight : layers.flights) {
    flight.movers.hash = contentHash(flight.movers.items);
    flight.paths.hash = contentHash(flight.paths.items);
  }
  layers.model = std::move(model);
  return layers;
}

}  // namespace tilestep::gfx
