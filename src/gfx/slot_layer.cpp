// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

RectInstance cellAt(const Grid& grid, uint32_t row, uint32_t column) {
  RectInstance r;
  r.box = grid.cellBox(row, column);
  r.radius = 0.12F;
  r.insetPx = std::min(1.5F, grid.cell * 0.06F);
  return r;
}

/// The frame around a whole array. It glows if this step accesses the array, and is dashed if the
/// array is absent.
RectInstance frameOf(const Grid& grid, bool fresh, bool absent, const Palette& palette) {
  RectInstance r;
  r.box = grid.box;
  r.insetPx = -4;
  r.radiusPx = 6;
  r.borderPx = fresh ? 2.0F : 1.0F;
  r.glowPx = fresh ? 14.0F : 0;
  r.dash = absent ? 1.0F : 0;
  r.border = fresh ? palette.accent : palette.line;
  return r;
}

/// Whether any or all cells are accessed in this step. If all are, only the frame has an accent
/// outline, because a hundred outlines would show nothing.
struct Freshness {
  bool any = false, all = true;
  void take(bool fresh) {
    any = any || fresh;
    all = all && fresh;
  }
};

void outlineCell(RectInstance& r, bool fresh, const Freshness& whole, const Palette& palette) {
  const bool accent = fresh && !whole.all;
  r.borderPx = accent ? 2.0F : 1.0F;
  r.border = accent ? palette.accent : palette.line;
}

/// Adds dashes around a cell, above a wider line that separates them from the cell's colour.
void addDashes(const RectInstance& cell, const Palette& palette, Layers& layers) {
  RectInstance r = cell;
  r.fill = r.rest = {0, 0, 0, 0};
  r.borderPx = 3;
  r.border = palette.background;
  layers.cells.items.push_back(r);
  r.borderPx = 2;
  r.border = palette.chosen;
  r.dash = 1;
  layers.cells.items.push_back(r);
}

/// A strip at the left edge of a cell in the warp's colour; drawn only if there are several warps.
RectInstance stripOf(const RectInstance& cell, int warp, const Palette& palette) {
  RectInstance r = cell;
  r.box.width *= 0.14F;
  r.radius = 0.5F;
  r.borderPx = 0;
  r.level = 1;
  r.insetPx = std::min(2.5F, cell.box.width * 0.05F);
  r.fill = palette.warp(warp);
  r.dash = 0;
  return r;
}

bool severalWarps(const SceneModel& model) {
  int first = -1;
  const auto differs = [&first](int warp) {
    if (warp < 0) return false;
    if (first < 0) first = warp;
    return warp != first;
  };
  for (const SlotArray& a : model.arrays)
    for (const Slot& s : a.slots)
      if (differs(s.warp)) return true;
  for (const ThreadGrid& g : model.threads)
    for (const Accumulator& t : g.threads)
      if (differs(t.warp)) return true;
  return false;
}

/// While one thread is followed, the colours of other threads are reduced to this fraction.
constexpr float kFaintCell = 0.3F;

Color inFront(const SceneModel& model, Color color, bool followed, const Palette& palette) {
  return model.isolated && !followed ? mix(palette.background, color, kFaintCell) : color;
}

void addArray(const SceneModel& model, const SlotArray& array, const Grid& grid, bool strips,
              const Palette& palette, Layers& layers) {
  Freshness whole;
  for (const Slot& s : array.slots) whole.take(s.fresh);
  layers.marks.items.push_back(frameOf(grid, whole.any && !array.absent, array.absent, palette));
  if (array.absent) return;
  const size_t count = std::min(array.slots.size(), size_t{array.rows} * array.columns);
  for (size_t i = 0; i < count; ++i) {
    const Slot& slot = array.slots[i];
    RectInstance r = cellAt(grid, uint32_t(i / array.columns), uint32_t(i % array.columns));
    const Color full = cellColor(model, shadeOf(slot.value, array.low, array.high), palette);
    r.fill = slot.written ? inFront(model, full, slot.followed, palette) : palette.background;
    outlineCell(r, slot.fresh, whole, palette);
    if (slot.hazard) {
      r.borderPx = 2.5F;
      r.border = palette.warning;
    }
    layers.cells.items.push_back(r);
    if (strips && slot.written && slot.warp >= 0)
      layers.cells.items.push_back(stripOf(r, slot.warp, palette));
    if (slot.followed && !slot.hazard) addDashes(r, palette, layers);
  }
}

/// Crosses out the cell of a thread that computes nothing.
void cross(const Box& box, const Palette& palette, Layers& layers) {
  constexpr float kInset = 0.22F;
  const float left = box.x + kInset * box.width, right = box.x + (1 - kInset) * box.width;
  const float top = box.y + kInset * box.height, bottom = box.y + (1 - kInset) * box.height;
  for (const bool falling : {true, false}) {
    LineInstance line;
    line.from = {left, falling ? top : bottom};
    line.to = {right, falling ? bottom : top};
    line.widthPx = 1.5F;
    line.color = palette.mutedText;
    layers.lines.items.push_back(line);
  }
}

void addThreads(const SceneModel& model, const ThreadGrid& threads, const Grid& grid, bool strips,
                const Palette& palette, Layers& layers) {
  Freshness whole;
  for (const Accumulator& t : threads.threads) whole.take(t.fresh);
  layers.marks.items.push_back(frameOf(grid, whole.any, false, palette));
  const size_t count = std::min(threads.threads.size(), size_t{threads.rows} * threads.columns);
  for (size_t i = 0; i < count; ++i) {
    const Accumulator& t = threads.threads[i];
    RectInstance r = cellAt(grid, uint32_t(i / threads.columns), uint32_t(i % threads.columns));
    const float level = t.ofTerms > 0 ? std::min(1.0F, float(t.terms) / float(t.ofTerms)) : 0;
    const Color full = cellColor(model, shadeOf(t.value, threads.low, threads.high), palette);
    r.fill = inFront(model, full, t.followed, palette);
    r.rest = palette.background;
    // Half-filled small cells would look like stripes: in an overview the whole cell becomes
    // brighter instead.
    if (model.overview)
      r.fill = level > 0 ? mix(palette.background, r.fill, 0.3F + 0.7F * level) : r.rest;
    else
      r.level = level;
    outlineCell(r, t.fresh, whole, palette);
    layers.cells.items.push_back(r);
    if (strips && t.warp >= 0) layers.cells.items.push_back(stripOf(r, t.warp, palette));
    if (t.followed) addDashes(r, palette, layers);
    if (t.idle) cross(r.box, palette, layers);
  }
}

}  // namespace

void addSlots(const SceneModel& model, const Layout& layout, const Palette& palette,
              Layers& layers) {
  const bool strips = !model.overview && severalWarps(model);
  size_t first = layers.cells.items.size();
  const auto endGrid = [&](const Grid& grid) {
    const size_t end = layers.cells.items.size();
    if (end > first) layers.grids.push_back({grid.box, first, end - first});
    first = end;
  };
  for (size_t i = 0; i < model.arrays.size(); ++i) {
    addArray(model, model.arrays[i], layout.arrays[i], strips, palette, layers);
    endGrid(layout.arrays[i]);
  }
  for (size_t i = 0; i < model.threads.size(); ++i) {
    addThreads(model, model.threads[i], layout.threads[i], strips, palette, layers);
    endGrid(layout.threads[i]);
  }
}

}  // namespace tilestep::gfx
