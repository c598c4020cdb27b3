// SPDX-License-Identifier: Apache-2.0
#include "gfx/layout.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tilestep::gfx {
namespace {

/// Rooms around grids, all from the text's height.
struct Rooms {
  explicit Rooms(float text)
      : margin(text * 0.9F),
        title(text * 1.9F),
        header(text * 1.5F),
        indices(text * 1.15F),
        gutter(text * 1.5F),
        gap(text * 1.2F),
        headerWidth(text * 7),
        largestCell(text * 3.4F),
        largestSlot(text * 4.4F) {}
  float margin, title, header, indices, gutter, gap, headerWidth, largestCell, largestSlot;
};

struct Size {
  uint32_t rows = 0, columns = 0;
};

/// A block of panels at one cell size, or of arrays and thread grids at another.
struct Part {
  float width = 0, height = 0;
};

std::optional<size_t> only(const SceneModel& model, PanelRole role) {
  std::optional<size_t> found;
  for (size_t i = 0; i < model.panels.size(); ++i) {
    if (model.panels[i].role != role) continue;
    if (found) return std::nullopt;
    found = i;
  }
  return found;
}

Grid place(float x, float y, Size size, float cell, float header) {
  x = std::round(x);
  y = std::round(y);
  return {{x, y, float(size.columns) * cell, float(size.rows) * cell}, cell, header};
}

/// Everything that holds slots or threads, in drawing order: arrays first.
std::vector<Size> slotGrids(const SceneModel& model) {
  std::vector<Size> sizes;
  for (const SlotArray& a : model.arrays) sizes.push_back({a.rows, a.columns});
  for (const ThreadGrid& g : model.threads) sizes.push_back({g.rows, g.columns});
  return sizes;
}

// --- panels ---------------------------------------------------------------------------------

/// Panels as an L or in columns; knows its extent at a cell size and can place itself.
class Panels {
 public:
  Panels(const SceneModel& model, const Rooms& rooms) : model_(model), rooms_(rooms) {
    left_ = only(model, PanelRole::left);
    top_ = only(model, PanelRole::top);
    product_ = only(model, PanelRole::product);
    isL_ = left_ && top_ && product_ && model.panels.size() == 3;
  }

  [[nodiscard]] Part extent(float cell) const { return isL_ ? extentL(cell) : extentColumns(cell); }

  void put(float x, float y, float cell, std::vector<Grid>& out) const {
    isL_ ? putL(x, y, cell, out) : putColumns(x, y, cell, out);
  }

 private:
  [[nodiscard]] Size size(size_t i) const {
    return {model_.panels[i].rows, model_.panels[i].columns};
  }

  // M's column must hold M's header, else it would run into P's beside it.
  [[nodiscard]] float leftWidth(float cell) const {
    return std::max(float(size(*left_).columns) * cell, rooms_.headerWidth);
  }
  [[nodiscard]] Part extentL(float cell) const {
    const float right = std::max(float(size(*product_).columns) * cell, rooms_.headerWidth);
    return {rooms_.gutter + leftWidth(cell) + rooms_.gap + right,
            rooms_.header + rooms_.indices + float(size(*top_).rows) * cell + rooms_.header +
                rooms_.gap / 2 + float(size(*product_).rows) * cell};
  }
  void putL(float x, float y, float cell, std::vector<Grid>& out) const {
    const float columnX = x + rooms_.gutter + leftWidth(cell) + rooms_.gap;
    const float topY = y + rooms_.header + rooms_.indices;
    const float rowY = topY + float(size(*top_).rows) * cell + rooms_.header + rooms_.gap / 2;
    const float leftX = columnX - rooms_.gap - float(size(*left_).columns) * cell;
    out[*left_] = place(leftX, rowY, size(*left_), cell, rooms_.header);
    out[*top_] = place(columnX, topY, size(*top_), cell, rooms_.header + rooms_.indices);
    out[*product_] = place(columnX, rowY, size(*product_), cell, rooms_.header);
  }

  [[nodiscard]] static bool isOutput(PanelRole role) {
    return role == PanelRole::output || role == PanelRole::product;
  }
  [[nodiscard]] Part columnExtent(bool outputs, float cell) const {
    Part part;
    for (size_t i = 0; i < model_.panels.size(); ++i) {
      if (isOutput(model_.panels[i].role) != outputs) continue;
      part.width = std::max(
          part.width, rooms_.gutter + std::max(float(size(i).columns) * cell, rooms_.headerWidth));
      if (part.height > 0) part.height += rooms_.gap;
      part.height += rooms_.header + rooms_.indices + float(size(i).rows) * cell;
    }
    return part;
  }
  [[nodiscard]] Part extentColumns(float cell) const {
    const Part in = columnExtent(false, cell), out = columnExtent(true, cell);
    const float gap = in.width > 0 && out.width > 0 ? 2 * rooms_.gap : 0;
    return {in.width + gap + out.width, std::max(in.height, out.height)};
  }
  void putColumns(float x, float y, float cell, std::vector<Grid>& out) const {
    const Part in = columnExtent(false, cell), all = extentColumns(cell);
    const Part right = columnExtent(true, cell);
    const float top[2] = {y + (all.height - in.height) / 2, y + (all.height - right.height) / 2};
    const float start[2] = {x, x + all.width - right.width};
    float at[2] = {top[0], top[1]};
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

/// Shared arrays and accumulators in a row or in a column.
class Slots {
 public:
  Slots(std::vector<Size> sizes, const Rooms& rooms, bool inRow)
      : sizes_(std::move(sizes)), rooms_(rooms), inRow_(inRow) {}

  [[nodiscard]] Part extent(float cell) const {
    Part part;
    for (const Size& s : sizes_) {
      const Part one = single(s, cell);
      if (inRow_) {
        part.width += one.width + (part.width > 0 ? rooms_.gap : 0);
        part.height = std::max(part.height, one.height);
      } else {
        part.height += one.height + (part.height > 0 ? rooms_.gap : 0);
        part.width = std::max(part.width, one.width);
      }
    }
    return part;
  }

  /// Spreads over `room` along its own direction, so that edges line up with the panels.
  void put(float x, float y, float cell, Part room, std::vector<Grid>& out) const {
    const Part all = extent(cell);
    const float spare = inRow_ ? room.width - all.width : room.height - all.height;
    const float between =
        sizes_.size() > 1 ? std::clamp(spare / float(sizes_.size() - 1), 0.0F, 3 * rooms_.gap) : 0;
    const float lead = std::max(0.0F, (spare - between * float(sizes_.size() - 1)) / 2);
    (inRow_ ? x : y) += sizes_.size() > 1 ? lead : spare / 2;
    for (const Size& s : sizes_) {
      const Part one = single(s, cell);
      const float head = rooms_.header + rooms_.indices;
      out.push_back(place(x + rooms_.gutter, y + head, s, cell, head));
      (inRow_ ? x : y) += (inRow_ ? one.width : one.height) + rooms_.gap + between;
    }
  }

 private:
  [[nodiscard]] Part single(Size s, float cell) const {
    return {rooms_.gutter + std::max(float(s.columns) * cell, rooms_.headerWidth),
            rooms_.header + rooms_.indices + float(s.rows) * cell};
  }
  std::vector<Size> sizes_;
  const Rooms& rooms_;
  bool inRow_;
};

/// The largest cell at which `fits` still holds, up to a limit; whole pixels where cells are large
/// enough to be told apart, so that all of them come out equal.
template <class Fits>
float largest(float limit, Fits fits) {
  if (fits(limit)) return limit;
  float low = 0, high = limit;
  for (int i = 0; i < 40; ++i) {
    const float middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low >= 6 ? std::floor(low) : low;
}

struct Plan {
  bool inRow = true;  ///< Slots below the panels (in a row), else beside them (in a column).
  float cell = 0, slot = 0;
  float score = -1e30F;
};

/// Both cell sizes matter as ratios: the product of the two decides, and slots must not come out
/// smaller than the matrix cells they enlarge.
float scoreOf(float cell, float slot) {
  return std::log(cell + 1e-6F) + std::log(slot + 1e-6F) - (slot < cell ? 2 : 0);
}

Plan planWith(const Panels& panels, const Slots& slots, bool inRow, Part room, const Rooms& rooms) {
  Plan best;
  best.inRow = inRow;
  for (int step = 4; step <= 18; ++step) {
    const float share = float(step) / 20;
    const Part forPanels =
        inRow ? Part{room.width, room.height * share} : Part{room.width * share, room.height};
    const float cell = largest(rooms.largestCell, [&](float c) {
      const Part p = panels.extent(c);
      return p.width <= forPanels.width && p.height <= forPanels.height;
    });
    const Part used = panels.extent(cell);
    const Part rest = inRow ? Part{room.width, room.height - used.height - rooms.gap}
                            : Part{room.width - used.width - 2 * rooms.gap, room.height};
    const float slot = largest(rooms.largestSlot, [&](float c) {
      const Part p = slots.extent(c);
      return p.width <= rest.width && p.height <= rest.height;
    });
    const float score = scoreOf(cell, slot);
    if (score > best.score) best = {inRow, cell, slot, score};
  }
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
  return left > right ? Box{} : Box{left, top, right - left, bottom - top};
}

void placeAll(const Panels& panels, const Slots& slots, const Plan& plan, Part room, Point corner,
              const Rooms& rooms, const SceneModel& model, Layout& layout) {
  const Part p = panels.extent(plan.cell);
  const Part s = slots.extent(plan.slot);
  const bool hasSlots = s.width > 0;
  const float gap = !hasSlots ? 0 : (plan.inRow ? rooms.gap : 2 * rooms.gap);
  const float width = plan.inRow ? std::max(p.width, s.width) : p.width + gap + s.width;
  const float height = plan.inRow ? p.height + gap + s.height : std::max(p.height, s.height);
  const float x = corner.x + std::max(0.0F, (room.width - width) / 2);
  const float y = corner.y + std::max(0.0F, (room.height - height) / 2);
  panels.put(plan.inRow ? x + (width - p.width) / 2 : x,
             plan.inRow ? y : y + (height - p.height) / 2, plan.cell, layout.panels);
  if (!hasSlots) return;
  std::vector<Grid> grids;
  const Part across = plan.inRow ? Part{width, s.height} : Part{s.width, height};
  slots.put(plan.inRow ? x : x + p.width + gap, plan.inRow ? y + p.height + gap : y, plan.slot,
            across, grids);
  const auto firstThread = grids.begin() + std::ptrdiff_t(model.arrays.size());
  layout.arrays.assign(grids.begin(), firstThread);
  layout.threads.assign(firstThread, grids.end());
}

}  // namespace

Layout arrange(const SceneModel& model, const LayoutRequest& request) {
  const Rooms rooms(request.textHeight);
  Layout layout;
  layout.textHeight = request.textHeight;
  layout.panels.resize(model.panels.size());
  const bool titled = !model.title.empty() || !model.caption.empty();
  const Point corner{rooms.margin, rooms.margin + (titled ? rooms.title : 0)};
  const Part room{std::max(1.0F, request.width - 2 * rooms.margin),
                  std::max(1.0F, request.height - corner.y - rooms.margin)};
  layout.title = {rooms.margin, rooms.margin + request.textHeight * 0.6F};

  const Panels panels(model, rooms);
  const std::vector<Size> sizes = slotGrids(model);
  const Slots row(sizes, rooms, true), column(sizes, rooms, false);
  Plan plan = planWith(panels, row, true, room, rooms);
  const Plan beside = planWith(panels, column, false, room, rooms);
  if (!sizes.empty() && beside.score > plan.score) plan = beside;
  if (sizes.empty())
    plan.cell = largest(rooms.largestCell, [&](float c) {
      const Part p = panels.extent(c);
      return p.width <= room.width && p.height <= room.height;
    });
  placeAll(panels, plan.inRow ? row : column, plan, room, corner, rooms, model, layout);
  layout.bounds = boundsOf(layout);
  return layout;
}

}  // namespace tilestep::gfx
