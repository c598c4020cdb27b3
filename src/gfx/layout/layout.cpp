// SPDX-License-Identifier: Apache-2.0
#include "gfx/layout/layout.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "gfx/layout/layout_parts.h"

namespace tilestep::gfx {
namespace {

/// The extent of the panels at one cell size, or of the arrays and thread grids at one slot size.
struct Part {
  float width = 0, height = 0;
};

// --- panels ---------------------------------------------------------------------------------

/// The panels, as an L or in columns. Computes their extent at a cell size, and places them.
class Panels {
 public:
  Panels(const SceneModel& model, const Rooms& rooms) : model_(model), rooms_(rooms) {
    left_ = only(model, PanelRole::left);
    top_ = only(model, PanelRole::top);
    product_ = only(model, PanelRole::product);
    isL_ = formL(model);
  }

  [[nodiscard]] Part extent(float cell) const { return isL_ ? extentL(cell) : extentColumns(cell); }

  /// `middle` is the width that columns keep free between inputs and outputs.
  void put(float x, float y, float cell, float middle, std::vector<Grid>& out) const {
    isL_ ? putL(x, y, cell, out) : putColumns(x, y, cell, middle, out);
  }
  [[nodiscard]] bool isL() const { return isL_; }
  /// The distance from the panels' left edge to that free width.
  [[nodiscard]] float inputsWidth(float cell) const { return columnExtent(false, cell).width; }

 private:
  [[nodiscard]] Size size(size_t i) const {
    return {model_.panels[i].rows, model_.panels[i].columns};
  }

  // M's column is at least as wide as M's header, which would otherwise run into P's header.
  [[nodiscard]] float leftWidth(float cell) const {
    return std::max(float(size(*left_).columns) * cell, rooms_.headerWidth);
  }
  [[nodiscard]] Part extentL(float cell) const {
    const float right = std::max(float(size(*product_).columns) * cell, rooms_.headerWidth);
    return {rooms_.gutter + leftWidth(cell) + rooms_.gap + right + rooms_.frame,
            rooms_.header + rooms_.indices + float(size(*top_).rows) * cell + rooms_.header +
                rooms_.gap / 2 + float(size(*product_).rows) * cell + 2 * rooms_.frame};
  }
  void putL(float x, float y, float cell, std::vector<Grid>& out) const {
    const float columnX = x + rooms_.gutter + leftWidth(cell) + rooms_.gap;
    const float topY = y + rooms_.frame + rooms_.header + rooms_.indices;
    const float rowY = topY + float(size(*top_).rows) * cell + rooms_.header + rooms_.gap / 2;
    const float leftX = columnX - rooms_.gap - float(size(*left_).columns) * cell;
    out[*left_] = place(leftX, rowY, size(*left_), cell, rooms_.header);
    out[*top_] = place(columnX, topY, size(*top_), cell, rooms_.header + rooms_.indices);
    out[*product_] = place(columnX, rowY, size(*product_), cell, rooms_.header);
  }

  [[nodiscard]] Part columnExtent(bool outputs, float cell) const {
    Part part;
    for (size_t i = 0; i < model_.panels.size(); ++i) {
      if (isOutput(model_.panels[i].role) != outputs) continue;
      part.width = std::max(
          part.width, rooms_.gutter + std::max(float(size(i).columns) * cell, rooms_.headerWidth) +
                          rooms_.frame);
      part.height += part.height > 0 ? rooms_.gap : rooms_.memoryLine + 2 * rooms_.frame;
      part.height += rooms_.header + rooms_.indices + float(size(i).rows) * cell;
    }
    return part;
  }
  [[nodiscard]] Part extentColumns(float cell) const {
    const Part in = columnExtent(false, cell), out = columnExtent(true, cell);
    const float gap = in.width > 0 && out.width > 0 ? 2 * rooms_.gap : 0;
    return {in.width + gap + out.width, std::max(in.height, out.height)};
  }
  void putColumns(float x, float y, float cell, float middle, std::vector<Grid>& out) const {
    const Part in = columnExtent(false, cell), all = extentColumns(cell);
    const Part right = columnExtent(true, cell);
    const float top[2] = {y + (all.height - in.height) / 2, y + (all.height - right.height) / 2};
    const float start[2] = {x, x + middle + all.width - right.width};
    const float first = rooms_.frame + rooms_.memoryLine;
    float at[2] = {top[0] + first, top[1] + first};
    for (size_t i = 0; i < model_.panels.size(); ++i) {
      const int side = isOutput(model_.panels[i].role) ? 1 : 0;
      at[side] += rooms_.header + rooms_.indices;
      out[i] = place(start[side] + rooms_.gutter, at[side], size(i), cell,
                     rooms_.header + rooms_.indices);
      at[side] += float(size(i).rows) * cell + rooms_.gap;
    }
  }

  const SceneModel& model_;
  const Rooms& rooms_;
  std::optional<size_t> left_, top_, product_;
  bool isL_ = false;
};

// --- arrays and threads ---------------------------------------------------------------------

/// The arrangement of shared arrays and accumulators: a row, a column, or a small separate L with
/// Nds above, Mds to the left and Pvalue in the corner. In the L, each thread's row and column meet
/// in its cell.
enum class Arrangement : uint8_t { row, column, corner };

class Slots {
 public:
  Slots(const SceneModel& model, const Rooms& rooms, Arrangement arrangement)
      : rooms_(rooms), arrangement_(arrangement), arrays_(model.arrays.size()) {
    for (const SlotArray& a : model.arrays) sizes_.push_back({a.rows, a.columns});
    for (const ThreadGrid& g : model.threads) sizes_.push_back({g.rows, g.columns});
  }

  [[nodiscard]] bool empty() const { return sizes_.empty(); }
  [[nodiscard]] bool possible() const {
    if (arrangement_ != Arrangement::corner) return true;
    return arrays_ == 2 && sizes_.size() == 3 && sizes_[0].rows == sizes_[2].rows &&
           sizes_[1].columns == sizes_[2].columns;
  }

  [[nodiscard]] Part extent(float cell) const {
    if (arrangement_ == Arrangement::corner) {
      const Part left = single(sizes_[0], cell), top = single(sizes_[1], cell);
      return {left.width + rooms_.gap + top.width, top.height + rooms_.gap / 2 + left.height};
    }
    Part part;
    for (const Size& s : sizes_) {
      const Part one = single(s, cell);
      if (arrangement_ == Arrangement::row) {
        part.width += one.width + (part.width > 0 ? rooms_.gap : 0);
        part.height = std::max(part.height, one.height);
      } else {
        part.height += one.height + (part.height > 0 ? rooms_.gap : 0);
        part.width = std::max(part.width, one.width);
      }
    }
    return part;
  }

  /// Widens the gaps of a row or column a little if there is space, so that it is not crowded in
  /// the middle.
  void put(float x, float y, float cell, Part room, Layout& layout) const {
    layout.arrays.resize(arrays_);
    layout.threads.resize(sizes_.size() - arrays_);
    if (arrangement_ == Arrangement::corner) return putCorner(x, y, cell, room, layout);
    const bool inRow = arrangement_ == Arrangement::row;
    const Part all = extent(cell);
    const float spare = inRow ? room.width - all.width : room.height - all.height;
    const float gaps = float(sizes_.size() - 1);
    const float between = gaps > 0 ? std::clamp(spare / gaps, 0.0F, 2 * rooms_.gap) : 0;
    (inRow ? x : y) += std::max(0.0F, (spare - between * gaps) / 2);
    for (const size_t i : order()) {
      const Part one = single(sizes_[i], cell);
      slot(i, layout) = at(i, x, y, cell);
      (inRow ? x : y) += (inRow ? one.width : one.height) + rooms_.gap + between;
    }
  }

 private:
  [[nodiscard]] Part single(Size s, float cell) const {
    return {rooms_.gutter + std::max(float(s.columns) * cell, rooms_.headerWidth),
            rooms_.header + rooms_.indices + float(s.rows) * cell + rooms_.memoryLine};
  }
  /// `above` is the height above the header.
  [[nodiscard]] Grid at(size_t i, float x, float y, float cell, float above = 0) const {
    const float head = above + rooms_.header + rooms_.indices;
    return place(x + rooms_.gutter, y + head, sizes_[i], cell, head);
  }
  Grid& slot(size_t i, Layout& layout) const {
    return i < arrays_ ? layout.arrays[i] : layout.threads[i - arrays_];
  }
  /// Threads are placed between two arrays (Mds, Pvalue, Nds), so that no line to them crosses an
  /// array. In a column, Nds comes first, because it is then nearer to N.
  [[nodiscard]] std::vector<size_t> order() const {
    if (arrays_ == 2 && sizes_.size() == 3)
      return arrangement_ == Arrangement::row ? std::vector<size_t>{0, 2, 1}
                                              : std::vector<size_t>{1, 2, 0};
    std::vector<size_t> all(sizes_.size());
    for (size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }
  void putCorner(float x, float y, float cell, Part room, Layout& layout) const {
    const Part left = single(sizes_[0], cell), top = single(sizes_[1], cell), all = extent(cell);
    x += std::max(0.0F, (room.width - all.width) / 2);
    y += std::max(0.0F, (room.height - all.height) / 2);
    const float right = x + left.width + rooms_.gap, below = y + top.height + rooms_.gap / 2;
    layout.arrays[0] = at(0, x, below, cell);
    layout.arrays[1] = at(1, right, y, cell, rooms_.memoryLine);
    layout.threads[0] = at(2, right, below, cell);
  }

  const Rooms& rooms_;
  Arrangement arrangement_;
  size_t arrays_;
  std::vector<Size> sizes_;
};

struct Plan {
  Arrangement slots = Arrangement::row;
  bool below = true;  ///< True if slots are below the panels, false if they are to the right.
  float cell = 0, slot = 0;
  float score = -1e30F;
};

template <class Thing>
float largestIn(const Thing& thing, Part room, float limit) {
  return largest(limit, [&](float cell) {
    const Part p = thing.extent(cell);
    return p.width <= room.width && p.height <= room.height;
  });
}

/// Tries several divisions of the space between panels and slots, and keeps the best.
void tryPlan(const Panels& panels, const Slots& slots, Plan plan, Part room, const Rooms& rooms,
             float clear, Plan& best) {
  for (int step = 4; step <= 18; ++step) {
    const float share = float(step) / 20;
    plan.cell = largestIn(
        panels,
        plan.below ? Part{room.width, room.height * share} : Part{room.width * share, room.height},
        rooms.largestCell);
    const Part used = panels.extent(plan.cell);
    plan.slot = largestIn(slots,
                          plan.below ? Part{room.width, room.height - used.height - rooms.gap}
                                     : Part{room.width - used.width - 2 * rooms.gap, room.height},
                          rooms.largestSlot);
    plan.score = scoreOf(plan.cell, plan.slot, plan.slots == Arrangement::corner, clear);
    if (plan.score > best.score) best = plan;
  }
}

Plan bestPlan(const SceneModel& model, const Panels& panels, Part room, const Rooms& rooms) {
  Plan best;
  const float clear = clearCell(model, rooms.text);
  for (const Arrangement a : {Arrangement::row, Arrangement::column, Arrangement::corner}) {
    const Slots slots(model, rooms, a);
    if (slots.empty() || !slots.possible()) continue;
    if (a != Arrangement::column) tryPlan(panels, slots, {a, true}, room, rooms, clear, best);
    if (a != Arrangement::row) tryPlan(panels, slots, {a, false}, room, rooms, clear, best);
  }
  if (best.cell == 0) best.cell = largestIn(panels, room, rooms.largestCell);
  return best;
}

Box boundsOf(const Layout& layout) {
  float left = 1e30F, top = 1e30F, right = -1e30F, bottom = -1e30F;
  const auto take = [&](const std::vector<Grid>& grids) {
    for (const Grid& g : grids) {
      left = std::min(left, g.box.x);
      top = std::min(top, g.box.y - g.headerHeight);
      right = std::max(right, g.box.x + g.box.width);
      bottom = std::max(bottom, g.box.y + g.box.height);
    }
  };
  take(layout.panels);
  take(layout.arrays);
  take(layout.threads);
  for (const Box& frame : layout.frames) {
    left = std::min(left, frame.x);
    top = std::min(top, frame.y);
    right = std::max(right, frame.x + frame.width);
    bottom = std::max(bottom, frame.y + frame.height);
  }
  const float halfLine = layout.textHeight / 2;
  for (const MemoryName& name : layout.memories) bottom = std::max(bottom, name.at.y + halfLine);
  return left > right ? Box{} : Box{left, top, right - left, bottom - top};
}

void placeAll(const SceneModel& model, const Panels& panels, const Plan& plan, Part room,
              Point corner, const Rooms& rooms, Layout& layout) {
  const Slots slots(model, rooms, plan.slots);
  const Part p = panels.extent(plan.cell);
  const Part s = slots.empty() ? Part{} : slots.extent(plan.slot);
  const float gap = slots.empty() ? 0 : (plan.below ? rooms.gap : 2 * rooms.gap);
  const Part all = plan.below ? Part{std::max(p.width, s.width), p.height + gap + s.height}
                              : Part{p.width + gap + s.width, std::max(p.height, s.height)};
  const float x = corner.x + std::max(0.0F, (room.width - all.width) / 2);
  const float y = corner.y + std::max(0.0F, (room.height - all.height) / 2);
  if (plan.below) {
    panels.put(x + (all.width - p.width) / 2, y, plan.cell, 0, layout.panels);
    if (!slots.empty()) slots.put(x, y + p.height + gap, plan.slot, {all.width, s.height}, layout);
  } else {
    const bool between = !panels.isL() && !slots.empty();
    panels.put(x, y + (all.height - p.height) / 2, plan.cell, between ? s.width + gap : 0,
               layout.panels);
    const float start = between ? panels.inputsWidth(plan.cell) : p.width;
    if (!slots.empty()) slots.put(x + start + gap, y, plan.slot, {s.width, all.height}, layout);
  }
}

/// The area above the left panel and to the left of the top one.
Box freeCorner(const SceneModel& model, const Layout& layout) {
  const auto left = only(model, PanelRole::left), top = only(model, PanelRole::top);
  if (!left || !top || !only(model, PanelRole::product)) return {};
  const Grid& m = layout.panels[*left];
  const Grid& n = layout.panels[*top];
  const float x = m.box.x, y = n.box.y;
  const float gutter = layout.textHeight * (layout.compact ? 0.4F : 2);  // For N's indices.
  return {x, y, std::max(0.0F, n.box.x - gutter - x), std::max(0.0F, m.box.y - m.headerHeight - y)};
}

/// The largest number of rows or columns of a matrix.
float sideOf(const SceneModel& model) {
  uint32_t most = 0;
  for (const MatrixPanel& panel : model.panels) most = std::max({most, panel.rows, panel.columns});
  return float(most);
}

Layout arrangeAt(const SceneModel& model, const LayoutRequest& request, bool compact,
                 bool memories) {
  const Rooms whole(request.textHeight, compact, memories);
  Layout layout;
  layout.textHeight = request.textHeight;
  layout.leastText = std::min(request.leastText, request.textHeight);
  layout.compact = compact;
  layout.memoryLines = memories;
  layout.panels.resize(model.panels.size());
  const bool titled = !model.title.empty() || !model.caption.empty();
  const Point corner{whole.margin, whole.margin + (titled ? whole.title : 0)};
  const Part room{std::max(1.0F, request.width - 2 * whole.margin),
                  std::max(1.0F, request.height - corner.y - whole.margin)};
  layout.title = {whole.margin, whole.margin + request.textHeight * 0.6F};
  auto mirrored = bestMirrored(model, room.width, room.height, whole);
  const bool isCrowded =
      compact && mirrored && mirrored->cell * sideOf(model) < 2 * request.textHeight;
  const Rooms rooms = isCrowded ? whole.withoutHeaders() : whole;
  if (isCrowded) mirrored = bestMirrored(model, room.width, room.height, rooms);
  if (mirrored) {
    placeMirrored(model, *mirrored, corner, room.width, room.height, rooms, layout);
  } else {
    const Panels panels(model, rooms);
    placeAll(model, panels, bestPlan(model, panels, room, rooms), room, corner, rooms, layout);
  }
  nameMemories(model, rooms, request.width, layout);
  layout.bounds = boundsOf(layout);
  layout.corner = freeCorner(model, layout);
  return layout;
}

constexpr float kNoSlot = 1e6F;

/// The size of the smallest slot or sum, in pixels; kNoSlot if there is none.
float smallestSlot(const Layout& layout) {
  float smallest = kNoSlot;
  for (const auto* grids : {&layout.arrays, &layout.threads})
    for (const Grid& grid : *grids) smallest = std::min(smallest, grid.cell);
  return smallest;
}

// The size of a slot that is visible from the last row, as a multiple of the text's height.
constexpr float kClearSlot = 0.9F;

float smallestCell(const Layout& layout) {
  float smallest = kNoSlot;
  for (const Grid& grid : layout.panels) smallest = std::min(smallest, grid.cell);
  return smallest;
}

bool isClear(const SceneModel& model, const Layout& layout, const LayoutRequest& request) {
  return smallestSlot(layout) >= kClearSlot * request.textHeight &&
         smallestCell(layout) >= clearCell(model, request.textHeight);
}

/// Arranges grids with indices, or without them if this makes slots or cells clearer.
Layout arrangeGrids(const SceneModel& model, const LayoutRequest& request) {
  Layout full = arrangeAt(model, request, false, false);
  if (isClear(model, full, request)) return full;
  Layout compact = arrangeAt(model, request, true, false);
  const bool clearer = smallestSlot(full) < kClearSlot * request.textHeight
                           ? smallestSlot(compact) > smallestSlot(full)
                           : smallestCell(compact) > smallestCell(full);
  return clearer ? compact : full;
}

/// Whether every cell of `layout` has at least the fraction `share` of its size in `other`.
bool keepsSizes(const Layout& layout, const Layout& other, float share) {
  const auto keeps = [share](const std::vector<Grid>& grids, const std::vector<Grid>& others) {
    return std::ranges::equal(grids, others, [share](const Grid& grid, const Grid& before) {
      return grid.cell >= share * before.cell;
    });
  };
  return keeps(layout.panels, other.panels) && keeps(layout.arrays, other.arrays) &&
         keeps(layout.threads, other.threads);
}

/// Whether a layout with lines for the names of memories is about as good as one without.
bool hasRoomForMemories(const SceneModel& model, const Layout& named, const Layout& plain,
                        const LayoutRequest& request) {
  constexpr float kMostOfSize = 0.85F;
  constexpr float kEnoughSlot = 0.8F;  // As a multiple of the text's height.
  const Box& all = named.bounds;
  const bool fits = all.x + all.width <= request.width && all.y + all.height <= request.height;
  const float slot = smallestSlot(named);
  const bool enough = slot < kNoSlot && slot >= kEnoughSlot * request.textHeight;
  const float cell = std::min(clearCell(model, request.textHeight), smallestCell(plain));
  return fits && smallestCell(named) >= cell && (enough || keepsSizes(named, plain, kMostOfSize));
}

}  // namespace

Layout arrange(const SceneModel& model, const LayoutRequest& request) {
  Layout plain = arrangeGrids(model, request);
  Layout named = arrangeAt(model, request, plain.compact, true);
  return hasRoomForMemories(model, named, plain, request) ? named : plain;
}

}  // namespace tilestep::gfx
