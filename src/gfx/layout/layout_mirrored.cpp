// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gfx/layout/layout_parts.h"

namespace tilestep::gfx {
namespace {

/// Grids in three columns and three rows, with fixed positions.
class MirroredL {
 public:
  MirroredL(const SceneModel& model, const Rooms& rooms, size_t left, size_t top, size_t product)
      : rooms_(rooms), left_(left), top_(top), product_(product) {
    m_ = sizeOf(model.panels[left]);
    n_ = sizeOf(model.panels[top]);
    p_ = sizeOf(model.panels[product]);
    mds_ = sizeOf(model.arrays[0]);
    nds_ = sizeOf(model.arrays[1]);
    threads_ = sizeOf(model.threads[0]);
  }

  [[nodiscard]] float width(float cell, float slot) const {
    return 2 * rooms_.gutter + column(0, cell, slot) + column(1, cell, slot) +
           column(2, cell, slot) + rooms_.gap + rooms_.frame;
  }
  [[nodiscard]] float height(float cell, float slot) const {
    return 2 * head() + rooms_.header + rooms_.gap + row(0, cell, slot) + row(1, cell, slot) +
           row(2, cell, slot) + rooms_.memoryLine + 2 * rooms_.frame;
  }

  void put(float x, float y, float cell, float slot, Layout& layout) const {
    const float edge = x + rooms_.gutter + column(0, cell, slot);
    const float second = edge + rooms_.gap;
    const float third = second + column(1, cell, slot) + rooms_.frame + rooms_.gutter;
    const float firstEnd = y + rooms_.frame + head() + row(0, cell, slot);
    const float secondRow = firstEnd + rooms_.header + rooms_.gap / 2;
    const float thirdRow = secondRow + row(1, cell, slot) + rooms_.frame + head() + rooms_.gap / 2;
    layout.panels[left_] =
        place(edge - float(m_.columns) * cell, secondRow, m_, cell, rooms_.header);
    layout.panels[top_] = place(second, firstEnd - float(n_.rows) * cell, n_, cell, head());
    layout.panels[product_] = place(second, secondRow, p_, cell, rooms_.header);
    layout.arrays = {
        place(edge - float(mds_.columns) * slot, thirdRow, mds_, slot, head()),
        place(third, firstEnd - float(nds_.rows) * slot, nds_, slot, rooms_.memoryLine + head())};
    layout.threads = {place(third, thirdRow, threads_, slot, head())};
  }

 private:
  template <class Thing>
  static Size sizeOf(const Thing& thing) {
    return {thing.rows, thing.columns};
  }
  [[nodiscard]] float head() const { return rooms_.header + rooms_.indices; }
  [[nodiscard]] float column(int which, float cell, float slot) const {
    float cells = float(n_.columns) * cell;
    if (which == 0) cells = std::max(float(m_.columns) * cell, float(mds_.columns) * slot);
    if (which == 2) cells = float(std::max(nds_.columns, threads_.columns)) * slot;
    // The last column has the longest header, "Pvalue 4 × 4".
    return std::max(cells, which == 2 ? 0.86F * rooms_.headerWidth : rooms_.narrowHeader);
  }
  [[nodiscard]] float row(int which, float cell, float slot) const {
    // The name's line above Nds begins at the height of the frame around N.
    if (which == 0)
      return std::max(float(n_.rows) * cell,
                      float(nds_.rows) * slot + rooms_.memoryLine - rooms_.frame);
    if (which == 1) return float(m_.rows) * cell;
    return float(std::max(mds_.rows, threads_.rows)) * slot;
  }

  const Rooms& rooms_;
  size_t left_, top_, product_;
  Size m_, n_, p_, mds_, nds_, threads_;
};

std::optional<MirroredL> mirroredL(const SceneModel& model, const Rooms& rooms) {
  if (!formL(model) || model.arrays.size() != 2 || model.threads.size() != 1) return std::nullopt;
  return MirroredL(model, rooms, *only(model, PanelRole::left), *only(model, PanelRole::top),
                   *only(model, PanelRole::product));
}

}  // namespace

std::optional<Mirrored> bestMirrored(const SceneModel& model, float width, float height,
                                     const Rooms& rooms) {
  const std::optional<MirroredL> shape = mirroredL(model, rooms);
  if (!shape) return std::nullopt;
  const auto fits = [&](float cell, float slot) {
    return shape->width(cell, slot) <= width && shape->height(cell, slot) <= height;
  };
  Mirrored best;
  for (int step = 0; step < 60; ++step) {
    const float ratio = 1.15F + 0.1F * float(step);
    Mirrored now;
    now.cell = largest(rooms.largestCell, [&](float cell) {
      return fits(cell, std::min(cell * ratio, rooms.largestSlot));
    });
    now.slot = largest(rooms.largestSlot, [&](float slot) { return fits(now.cell, slot); });
    now.score = scoreOf(now.cell, now.slot, true, clearCell(model, rooms.text));
    if (now.score > best.score) best = now;
  }
  return best;
}

void placeMirrored(const SceneModel& model, const Mirrored& mirrored, Point corner, float width,
                   float height, const Rooms& rooms, Layout& layout) {
  const std::optional<MirroredL> shape = mirroredL(model, rooms);
  if (!shape) return;
  const float x = corner.x + std::max(0.0F, width - shape->width(mirrored.cell, mirrored.slot)) / 2;
  const float y =
      corner.y + std::max(0.0F, height - shape->height(mirrored.cell, mirrored.slot)) / 2;
  shape->put(x, y, mirrored.cell, mirrored.slot, layout);
}

}  // namespace tilestep::gfx
