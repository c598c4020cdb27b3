// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gfx/layout/layout_parts.h"

namespace tilestep::gfx {
namespace {

/// Names the memories of one layout; exists for one call.
class Memories {
 public:
  Memories(const SceneModel& model, const Rooms& rooms, float width, Layout& layout)
      : model_(model), rooms_(rooms), width_(width), layout_(layout) {}

  void name() {
    formL(model_) ? nameL() : nameColumns();
    if (!layout_.memoryLines) return;
    for (size_t i = 0; i < model_.arrays.size(); ++i)
      if (!model_.arrays[i].absent) nameGrid(Memory::shared, layout_.arrays[i]);
    for (const Grid& grid : layout_.threads) nameGrid(Memory::registers, grid);
  }

 private:
  /// In an L, the name is in the free corner, at the height of N's header.
  void nameL() {
    const Grid& left = layout_.panels[*only(model_, PanelRole::left)];
    const Grid& top = layout_.panels[*only(model_, PanelRole::top)];
    if (layout_.memoryLines)
      layout_.frames = {frameAround(rooms_.narrowHeader, [](PanelRole) { return true; })};
    const float start = layout_.memoryLines ? layout_.frames.front().x + inset() : left.box.x;
    const float above = rooms_.indices + (layout_.compact ? 0.7F : 0.8F) * layout_.textHeight;
    layout_.memories = {
        {Memory::global, {start, top.box.y - above}, top.box.x - rooms_.gap / 2 - start}};
  }

  /// In columns, inputs and outputs each have a frame with a line for the name.
  void nameColumns() {
    if (!layout_.memoryLines) return;
    for (const bool outputs : {false, true}) {
      if (std::ranges::none_of(model_.panels, [outputs](const MatrixPanel& panel) {
            return isOutput(panel.role) == outputs;
          }))
        continue;
      Box frame = frameAround(rooms_.headerWidth,
                              [outputs](PanelRole role) { return isOutput(role) == outputs; });
      frame.y -= rooms_.memoryLine;
      frame.height += rooms_.memoryLine;
      layout_.frames.push_back(frame);
      layout_.memories.push_back(
          {Memory::global,
           {frame.x + inset(), frame.y + rooms_.frame + rooms_.memoryLine / 2},
           frame.width - 2 * inset()});
    }
  }

  /// `header` is the available width for a header.
  template <class Inside>
  [[nodiscard]] Box frameAround(float header, Inside inside) const {
    float left = 1e30F, top = 1e30F, right = -1e30F, bottom = -1e30F;
    for (size_t i = 0; i < model_.panels.size(); ++i) {
      if (!inside(model_.panels[i].role)) continue;
      const Grid& grid = layout_.panels[i];
      left = std::min(left, grid.box.x - rooms_.gutter);
      top = std::min(top, grid.box.y - grid.headerHeight - rooms_.frame);
      right = std::max(right, grid.box.x + std::max(grid.box.width, header) + rooms_.frame);
      bottom = std::max(bottom, grid.box.y + grid.box.height + rooms_.frame);
    }
    return {left, top, right - left, bottom - top};
  }

  /// The name is below a grid, where no load arrives, or above a grid with enough space above its
  /// header.
  void nameGrid(Memory memory, const Grid& grid) {
    const float header = rooms_.header + rooms_.indices;
    const bool above = grid.headerHeight > header + rooms_.memoryLine / 2;
    const float y = above ? grid.box.y - header - rooms_.memoryLine / 2
                          : grid.box.y + grid.box.height + 0.7F * rooms_.memoryLine;
    layout_.memories.push_back({memory, {grid.box.x, y}, roomFrom({grid.box.x, y})});
  }

  /// The width up to the next grid to the right, or to the viewport's edge.
  [[nodiscard]] float roomFrom(Point at) const {
    float end = width_;
    for (const auto* grids : {&layout_.panels, &layout_.arrays, &layout_.threads})
      for (const Grid& grid : *grids) {
        const float half = rooms_.memoryLine / 2, top = grid.box.y - grid.headerHeight;
        const bool asHigh = top < at.y + half && grid.box.y + grid.box.height > at.y - half;
        if (asHigh && grid.box.x > at.x) end = std::min(end, grid.box.x - rooms_.gutter);
      }
    return end - at.x;
  }

  [[nodiscard]] float inset() const { return layout_.textHeight / 2; }

  const SceneModel& model_;
  const Rooms& rooms_;
  float width_;
  Layout& layout_;
};

}  // namespace

void nameMemories(const SceneModel& model, const Rooms& rooms, float width, Layout& layout) {
  Memories(model, rooms, width, layout).name();
}

}  // namespace tilestep::gfx
