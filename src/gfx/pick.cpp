// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "gfx/labels/label_text.h"
#include "gfx/layers.h"

namespace tilestep::gfx {
namespace {

using In = Place::In;

std::optional<Place> hitGrids(const std::vector<Grid>& grids, In in, Point world) {
  for (size_t i = grids.size(); i-- > 0;) {
    const Grid& g = grids[i];
    if (g.cell <= 0 || !g.box.contains(world)) continue;
    return Place{in, uint32_t(i), uint32_t((world.y - g.box.y) / g.cell),
                 uint32_t((world.x - g.box.x) / g.cell)};
  }
  return std::nullopt;
}

std::string warpText(int warp) {
  return warp < 0 ? "" : "warp " + std::to_string(warp);
}

std::string describePanel(const MatrixPanel& panel, const Place& place, bool covered) {
  std::string text = elementName(panel.name, place.row, place.column);
  if (const std::optional<float> value = valueAt(panel, place.row, place.column))
    text += std::isnan(*value) ? ": " + panel.blank : " = " + exactText(*value);
  else if (!panel.absent.empty())
    text += ": " + panel.absent;
  for (const CellMark& m : panel.cells)
    if (m.row == place.row && m.column == place.column && m.loads > 0 && !covered)
      text += "\nloaded " + (m.loads == 1 ? "once" : std::to_string(m.loads) + " times") +
              " in this step";
  return text;
}

std::string describeArray(const SlotArray& array, const Place& place) {
  const size_t i = size_t{place.row} * array.columns + place.column;
  if (array.absent || i >= array.slots.size()) return array.note;
  const Slot& slot = array.slots[i];
  std::string text = slotName(array.name, place.row, place.column);
  if (!slot.written) return text + ": not written yet";
  text += slot.known ? " = " + exactText(slot.value)
                     : ": changed by an atomic operation, whose result no step shows";
  if (!slot.origin.empty()) text += "\nfrom " + slot.origin;
  if (slot.warp >= 0) text += (slot.origin.empty() ? "\nby " : ", by ") + warpText(slot.warp);
  return text;
}

std::string describeThread(const ThreadGrid& grid, const Place& place, bool covered) {
  const size_t i = size_t{place.row} * grid.columns + place.column;
  if (i >= grid.threads.size()) return grid.note;
  const Accumulator& t = grid.threads[i];
  std::string text =
      "thread (" + std::to_string(place.column) + ", " + std::to_string(place.row) +
      "): " + (t.idle ? "computes no element" : grid.name + " = " + exactText(t.value));
  if (t.ofTerms > 0 && !covered)
    text += "\n" + std::to_string(t.terms) + " of " + std::to_string(t.ofTerms) + " terms";
  if (t.warp >= 0) text += (t.ofTerms > 0 && !covered ? ", " : "\n") + warpText(t.warp);
  return text;
}

}  // namespace

std::optional<Place> hit(const Layers& layers, const Camera& camera, Point pointer) {
  const Point world = camera.toWorld(pointer);
  if (auto place = hitGrids(layers.layout.threads, In::threads, world)) return place;
  if (auto place = hitGrids(layers.layout.arrays, In::array, world)) return place;
  auto place = hitGrids(layers.layout.panels, In::panel, world);
  if (!place || !layers.model) return place;
  // At the far edge, rounding may yield a cell beyond the matrix.
  const MatrixPanel& panel = layers.model->panels[place->index];
  place->row = std::min(place->row, panel.rows - 1);
  place->column = std::min(place->column, panel.columns - 1);
  return place;
}

std::string describe(const SceneModel& model, const Place& place) {
  if (place.in == In::panel && place.index < model.panels.size())
    return describePanel(model.panels[place.index], place, model.countsCovered);
  if (place.in == In::array && place.index < model.arrays.size())
    return describeArray(model.arrays[place.index], place);
  if (place.in == In::threads && place.index < model.threads.size())
    return describeThread(model.threads[place.index], place, model.countsCovered);
  return {};
}

std::optional<BlockIndex> blockAt(const SceneModel& model, const Place& place) {
  if (place.in != In::panel || place.index >= model.panels.size()) return std::nullopt;
  const MatrixPanel& panel = model.panels[place.index];
  const bool written = panel.role == PanelRole::product || panel.role == PanelRole::output;
  if (!written || panel.gridRows == 0 || panel.gridColumns == 0) return std::nullopt;
  return BlockIndex{place.column / panel.gridColumns, place.row / panel.gridRows};
}

}  // namespace tilestep::gfx
