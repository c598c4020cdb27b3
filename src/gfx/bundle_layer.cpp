// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "gfx/layer_parts.h"

namespace tilestep::gfx {
namespace {

constexpr float kMostPx = 0.6F;      ///< The greatest width of one load's line, in pixels.
constexpr float kMostOfCell = 0.4F;  ///< The greatest width of a trunk, as a fraction of a cell.

/// An element and the row or column of threads that read it.
using Branch = std::tuple<uint32_t, uint32_t, uint32_t>;

Branch branchOf(const Link& link, bool alongRows) {
  return {link.from.row, link.from.column, alongRows ? link.to.row : link.to.column};
}

size_t branchesOf(const std::vector<Link>& links, bool alongRows) {
  std::set<Branch> branches;
  for (const Link& link : links) branches.insert(branchOf(link, alongRows));
  return branches.size();
}

/// The loads of the threads in one row or column.
struct Trunk {
  uint32_t index = 0;  ///< The index of the row or column of threads.
  std::vector<const Link*> loads;
  /// The branches join the trunk from the side, one behind the other. Otherwise they join at its
  /// start, side by side.
  bool sideways = false;
  float width = 0;
  Point start;
};

/// Draws the bundles of one pair of grids; exists for one call. "Along" a trunk is x for a row of
/// threads and y for a column; "across" is the other axis.
class Bundles {
 public:
  Bundles(const std::vector<Link>& links, const Layout& layout, float strength,
          const Palette& palette, std::vector<LineInstance>& lines)
      : layout_(layout),
        from_(*gridOf(layout, links.front().from)),
        threads_(*gridOf(layout, links.front().to)),
        rows_(branchesOf(links, true) <= branchesOf(links, false)),
        strength_(strength),
        palette_(palette),
        lines_(lines) {
    forward_ = along(from_.box.center()) <= along(threads_.box.center());
    std::map<uint32_t, Trunk> trunks;
    for (const Link& link : links) {
      Trunk& trunk = trunks[rows_ ? link.to.row : link.to.column];
      trunk.index = rows_ ? link.to.row : link.to.column;
      trunk.loads.push_back(&link);
    }
    for (auto& [index, trunk] : trunks) trunks_.push_back(std::move(trunk));
    placeTrunks();
  }

  void add() {
    for (const Trunk& trunk : trunks_) {
      addBranches(trunk);
      addTrunk(trunk);
    }
  }

 private:
  [[nodiscard]] float along(Point at) const { return rows_ ? at.x : at.y; }
  [[nodiscard]] float across(Point at) const { return rows_ ? at.y : at.x; }
  [[nodiscard]] Point pointAt(float along, float across) const {
    return rows_ ? Point{along, across} : Point{across, along};
  }
  [[nodiscard]] Point middleOf(const Trunk& trunk) const {
    Point sum;
    for (const Link* link : trunk.loads) {
      const Point at = from_.cellBox(link->from.row, link->from.column).center();
      sum = {sum.x + at.x, sum.y + at.y};
    }
    const auto count = float(trunk.loads.size());
    return {sum.x / count, sum.y / count};
  }

  /// If other trunks are in the way, the trunk of a more distant row or column begins further away.
  void placeTrunks() {
    size_t most = 1;
    for (const Trunk& trunk : trunks_) most = std::max(most, trunk.loads.size());
    // All line widths are later scaled with the text by this factor.
    growth_ = std::max(1.0F, layout_.textHeight / kUsualText);
    loadPx_ = std::min(kMostPx, kMostOfCell * threads_.cell / float(most) / growth_);
    const bool ascending = across(from_.box.center()) <= across(threads_.box.center());
    if (!ascending) std::ranges::reverse(trunks_);
    float aside = 0;
    for (Trunk& trunk : trunks_) {
      trunk.width = loadPx_ * growth_ * float(trunk.loads.size());
      trunk.start = startOf(trunk.index, 0);
      const Point from = middleOf(trunk);
      constexpr float kSteep = 1.5F;
      trunk.sideways = std::fabs(across(trunk.start) - across(from)) >
                       kSteep * std::fabs(along(trunk.start) - along(from));
      if (!trunk.sideways) continue;
      aside += 1.2F * trunk.width;
      trunk.start = startOf(trunk.index, aside);
    }
  }

  /// `further` is an additional distance from the threads.
  [[nodiscard]] Point startOf(uint32_t index, float further) const {
    const float away = layout_.textHeight * (layout_.compact ? 0.9F : 1.5F) + further;
    const Box& box = threads_.box;
    const float first = along({box.x, box.y});
    const float end = first + (rows_ ? box.width : box.height);
    return pointAt(forward_ ? first - away : end + away,
                   across({box.x, box.y}) + (float(index) + acrossCell()) * threads_.cell);
  }

  /// The position at which a trunk crosses a cell: the middle or, in a large cell, beside its
  /// texts.
  [[nodiscard]] float acrossCell() const {
    return !rows_ && threads_.cell > 2 * layout_.textHeight ? 0.12F : 0.5F;
  }

  /// A line from each element; its width is proportional to the number of its loads.
  void addBranches(const Trunk& trunk) {
    std::map<std::pair<uint32_t, uint32_t>, size_t> loads;
    for (const Link* link : trunk.loads) ++loads[{link->from.row, link->from.column}];
    std::vector<std::pair<Point, size_t>> branches;
    for (const auto& [element, count] : loads)
      branches.emplace_back(from_.cellBox(element.first, element.second).center(), count);
    const bool stackedInY = rows_ != trunk.sideways;
    const auto slope = [&](Point from) {
      const float x = trunk.start.x - from.x, y = trunk.start.y - from.y;
      return stackedInY ? y / (std::fabs(x) + 1e-3F) : x / (std::fabs(y) + 1e-3F);
    };
    // Sorted by slope, so that branches do not cross.
    std::ranges::sort(
        branches, [&](const auto& a, const auto& b) { return slope(a.first) > slope(b.first); });
    // Side by side, the branches are together as wide as the trunk.
    float at = trunk.sideways && forward_ ? 0 : trunk.sideways ? -trunk.width : -trunk.width / 2;
    for (const auto& [element, count] : branches) {
      const float width = loadPx_ * growth_ * float(count), middle = at + width / 2;
      at += width;
      const Point end{trunk.start.x + (stackedInY ? 0 : middle),
                      trunk.start.y + (stackedInY ? middle : 0)};
      const float length = std::hypot(end.x - element.x, end.y - element.y);
      if (length <= 0) continue;
      const float begin = std::min(0.4F, 0.35F * from_.cell / length);
      addLine(trunk, between(element, end, begin), end, count, false);
    }
  }

  /// Draws the trunk from thread to thread; after each thread it is narrower by that thread's
  /// loads.
  void addTrunk(const Trunk& trunk) {
    std::map<uint32_t, size_t> loads;
    for (const Link* link : trunk.loads) ++loads[rows_ ? link->to.column : link->to.row];
    std::vector<std::pair<uint32_t, size_t>> stops(loads.begin(), loads.end());
    if (!forward_) std::ranges::reverse(stops);
    Point from = trunk.start;
    size_t left = trunk.loads.size();
    for (const auto& [stop, count] : stops) {
      const Box cell = threads_.cellBox(rows_ ? trunk.index : stop, rows_ ? stop : trunk.index);
      const float edge = (forward_ ? 0.05F : 0.95F) * threads_.cell;
      const Point to = pointAt(along({cell.x, cell.y}) + edge, across(trunk.start));
      addLine(trunk, from, to, left, true);
      from = to;
      left -= count;
    }
  }

  void addLine(const Trunk& trunk, Point from, Point to, size_t loads, bool arrow) {
    LineInstance line;
    line.from = from;
    line.to = to;
    line.widthPx = std::max(1.0F, loadPx_ * float(loads));
    line.arrowPx = arrow ? 4 + 0.6F * line.widthPx : 0;
    line.headPx = arrow ? line.widthPx + 4 : 0;
    line.color = withAlpha(palette_.warp(warpOf(trunk)), strength_);
    lines_.push_back(line);
  }

  /// The warp with the most loads in the trunk.
  static int warpOf(const Trunk& trunk) {
    std::map<int, size_t> loads;
    for (const Link* link : trunk.loads) ++loads[link->warp];
    return std::ranges::max_element(loads, {}, &std::pair<const int, size_t>::second)->first;
  }

  const Layout& layout_;
  const Grid &from_, &threads_;
  bool rows_;  ///< True if trunks lead to rows of threads, false if they lead to columns.
  float strength_;
  const Palette& palette_;
  std::vector<LineInstance>& lines_;
  bool forward_ = true;  ///< Trunks lead to the right or down.
  float growth_ = 1, loadPx_ = 1;
  std::vector<Trunk> trunks_;
};

}  // namespace

bool canBundle(const std::vector<Link>& links) {
  if (links.empty() || links.front().from.in != Place::In::panel ||
      links.front().to.in != Place::In::threads)
    return false;
  const size_t branches = std::min(branchesOf(links, true), branchesOf(links, false));
  return 2 * branches <= links.size();
}

void addBundles(const std::vector<Link>& links, const Layout& layout, float strength,
                const Palette& palette, Layers& layers) {
  if (gridOf(layout, links.front().from) == nullptr || gridOf(layout, links.front().to) == nullptr)
    return;
  Bundles(links, layout, strength, palette, layers.lines.items).add();
}

}  // namespace tilestep::gfx
