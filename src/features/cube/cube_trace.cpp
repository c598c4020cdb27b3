// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_trace.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <unordered_map>
#include <utility>

#include "base/figure.h"
#include "features/cube/factors.h"
#include "features/cube/multiply_adds.h"
#include "features/cube/sum_elements.h"
#include "trace/elements.h"
#include "trace/origins.h"

namespace tilestep::features {
namespace {

using trace::Operation;
using trace::StepGranularity;
using trace::TraceEvent;

bool isGlobalLoad(const TraceEvent& event) {
  return event.space == trace::Space::global &&
         (event.operation == Operation::load || event.operation == Operation::copy);
}

bool isSum(const TraceEvent& event) {
  return event.operation == Operation::accumulate;
}

/// The number of updates of sums, over all lanes.
uint64_t updatesIn(const trace::BlockTrace& recording) {
  uint64_t count = 0;
  for (size_t i = 0; i < recording.size(); ++i) {
    const TraceEvent event = recording.event(i);
    if (isSum(event)) count += static_cast<uint64_t>(std::popcount(event.mask));
  }
  return count;
}

std::string troubleOf(const TracedKernel& side, uint64_t updates, bool isProduct) {
  if (!isProduct)
    return "The cube shows a product of two matrices, which " + side.shortName +
           " does not compute.";
  if (updates == 0)
    return "The trace of " + side.shortName + " contains no multiply-adds by single threads.";
  if (side.replay->recording().truncated())
    return "The trace of this block is truncated, so the stores that would show which elements its "
           "sums belong to are missing. Choose smaller sizes.";
  if (updates > kMostPoints)
    return "This block executes " + grouped(updates) + " multiply-adds, and the cube shows up to " +
           grouped(kMostPoints) + ". Choose a smaller k, or smaller blocks.";
  return {};
}

class Builder {
 public:
  Builder(const TracedKernel& side, CubeTrace& cube)
      : side_(side),
        replay_(*side.replay),
        recording_(replay_.recording()),
        elements_(recording_, replay_.cut()),
        cube_(cube) {}

  void build() {
    findPoints();
    cube_.loadSums.resize(recording_.size() + 1);
    for (size_t step = 0; step < replay_.size(StepGranularity::phase); ++step) addPhase(step);
    for (size_t i = 1; i < cube_.loadSums.size(); ++i) {
      cube_.loadSums[i].left += cube_.loadSums[i - 1].left;
      cube_.loadSums[i].right += cube_.loadSums[i - 1].right;
    }
    for (const auto& [key, load] : loads_) cube_.loads.push_back(load);
    sumUp();
    findBlock();
    if (cube_.points.empty())
      cube_.trouble = "The trace does not show with certainty which elements " + side_.shortName +
                      " multiplies.";
  }

 private:
  void findPoints() {
    const trace::Origins origins(recording_, elements_);
    const SumElements sums(side_, cube_.shape, elements_);
    Factors factors(recording_, elements_, origins, cube_.shape);
    MultiplyAdds found(side_, cube_.shape, sums, elements_);
    for (size_t i = 0; i < recording_.size(); ++i) {
      const TraceEvent event = recording_.event(i);
      const auto index = static_cast<uint32_t>(i);
      isSum(event) ? found.see(index, event, factors) : factors.see(index, event);
    }
    cube_.points = std::move(found.points);
    others_ = std::move(found.others);
  }

  void addPhase(size_t step) {
    CubePhase& phase = cube_.phases.emplace_back();
    phase.phase = replay_.step(StepGranularity::phase, step).phase;
    for (const trace::Replay::Piece& piece : replay_.piecesOf(StepGranularity::phase, step)) {
      const TraceEvent event = recording_.event(piece.event);
      if (isSum(event)) addSums(piece, static_cast<uint32_t>(step), phase);
      if (isGlobalLoad(event)) addLoads(piece, event, static_cast<uint32_t>(step), phase);
      const bool stores =
          event.operation == Operation::store && event.buffer == cube_.shape.product;
      if (stores && event.space == trace::Space::global)
        phase.stores += elements_.count(event, piece.mask);
    }
  }

  void addSums(const trace::Replay::Piece& piece, uint32_t step, CubePhase& phase) {
    constexpr uint32_t kLanes = 32;
    const auto has = [&](uint32_t thread) { return (piece.mask >> (thread % kLanes) & 1U) != 0; };
    const auto byEvent = [](const auto& entry) { return entry.event; };
    for (CubePoint& point : std::ranges::equal_range(cube_.points, piece.event, {}, byEvent)) {
      if (!has(point.thread)) continue;
      point.step = step;
      phase.kFirst = phase.points == 0 ? point.k : std::min(phase.kFirst, point.k);
      phase.kLast = phase.points == 0 ? point.k : std::max(phase.kLast, point.k);
      ++phase.points;
    }
    for (const OtherUpdate& other : std::ranges::equal_range(others_, piece.event, {}, byEvent))
      if (has(other.thread)) ++(other.zero ? phase.zeros : phase.unplaced);
  }

  void addLoads(const trace::Replay::Piece& piece, const TraceEvent& event, uint32_t step,
                CubePhase& phase) {
    const bool left = event.buffer == cube_.shape.left, right = event.buffer == cube_.shape.right;
    if (!left && !right) return;
    elements_.visit(piece.event, event, piece.mask, [&](const trace::Access& access, uint32_t) {
      ++(right ? phase.rightLoads : phase.leftLoads);
      LoadSums& sums = cube_.loadSums[piece.event + 1];
      ++(right ? sums.right : sums.left);
      const MatrixElement element =
          right ? cube_.shape.rightAt(access.offset) : cube_.shape.leftAt(access.offset);
      const uint64_t key = uint64_t{access.offset} << 1 | (right ? 1U : 0U);
      const auto [at, isNew] = loads_.try_emplace(key, CubeLoad{right, element, piece.event, step});
      at->second.event = std::min(at->second.event, piece.event);
      at->second.step = std::min(at->second.step, step);
    });
  }

  void sumUp() {
    for (const CubePhase& phase : cube_.phases) {
      cube_.all.points += phase.points;
      cube_.all.zeros += phase.zeros;
      cube_.all.unplaced += phase.unplaced;
      cube_.all.leftLoads += phase.leftLoads;
      cube_.all.rightLoads += phase.rightLoads;
      cube_.all.stores += phase.stores;
    }
  }

  /// Finds the smallest rectangle that contains all elements of P with located multiply-adds, and
  /// whether the rectangles of all blocks form a regular grid.
  void findBlock() {
    uint32_t top = cube_.shape.rows, left = cube_.shape.columns, bottom = 0, right = 0;
    for (const CubePoint& point : cube_.points) {
      top = std::min(top, point.row);
      left = std::min(left, point.column);
      bottom = std::max(bottom, point.row + 1);
      right = std::max(right, point.column + 1);
    }
    if (bottom <= top) return;
    cube_.block = {top, left, bottom - top, right - left};
    const uint64_t volume = uint64_t{cube_.block.rows} * cube_.block.columns * cube_.shape.depth;
    if (volume > kMostPoints) return refuse(volume);
    const uint32_t rows = tileOf(top, bottom, cube_.shape.rows, recording_.block.y);
    const uint32_t columns = tileOf(left, right, cube_.shape.columns, recording_.block.x);
    const uint64_t blocks = side_.result->plan.launches.front().grid.count();
    if (rows == 0 || columns == 0) return;
    if (ceilDiv(cube_.shape.rows, rows) * ceilDiv(cube_.shape.columns, columns) != blocks) return;
    cube_.tileRows = rows;
    cube_.tileColumns = columns;
  }

  /// Rejects a block whose elements are too far apart to draw the cube around them.
  void refuse(uint64_t volume) {
    cube_.trouble =
        "The elements of P that this block computes are far apart: the cube around their "
        "multiply-adds has " +
        grouped(volume) + " positions, but at most " + grouped(kMostPoints) +
        " are shown. Choose smaller sizes.";
    cube_.block = {};
    cube_.points.clear();
  }

  /// The extent of each block's rectangle in one direction, derived from the rectangle of block
  /// `number`; 0 if it cannot be derived. The last block's rectangle may be cut off at the edge.
  static uint32_t tileOf(uint32_t first, uint32_t end, uint32_t all, uint32_t number) {
    const uint32_t own = end - first;
    if (end < all || first == 0) return first % own == 0 ? own : 0;
    if (first % own == 0 && number > 0 && first / number == own) return own;
    return number > 0 && first % number == 0 && first / number >= own ? first / number : 0;
  }

  const TracedKernel& side_;
  const trace::Replay& replay_;
  const trace::BlockTrace& recording_;
  trace::Elements elements_;
  CubeTrace& cube_;
  std::vector<OtherUpdate> others_;
  std::unordered_map<uint64_t, CubeLoad> loads_;  ///< By element.
};

}  // namespace

CubeTrace cubeTraceOf(const TracedKernel& side) {
  CubeTrace cube;
  const std::optional<ProductShape> shape = productShapeOf(side);
  cube.trouble = troubleOf(side, updatesIn(side.replay->recording()), shape.has_value());
  if (!cube.trouble.empty()) return cube;
  cube.shape = *shape;
  Builder(side, cube).build();
  return cube;
}

}  // namespace tilestep::features
