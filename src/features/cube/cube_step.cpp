// SPDX-License-Identifier: Apache-2.0
#include "features/cube/cube_step.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "features/cube/cube_text.h"

namespace tilestep::features {
namespace {

/// Classifies events as earlier, present or later relative to a step.
class When {
 public:
  explicit When(const TracedStep& step)
      : byPhase_(step.grain == trace::StepGranularity::phase), step_(step) {}
  /// `step` is the event's step at phase granularity.
  [[nodiscard]] CubeTone toneOf(uint32_t event, uint32_t step) const {
    const uint64_t at = byPhase_ ? step : event;
    const uint64_t first = byPhase_ ? step_.first : step_.step.firstEvent,
                   last = byPhase_ ? step_.index : step_.step.lastEvent;
    return at > last ? CubeTone::later : at >= first ? CubeTone::now : CubeTone::done;
  }

 private:
  bool byPhase_;
  const TracedStep& step_;
};

CubeMarks marksOf(const CubeTrace& cube, const When& when) {
  CubeMarks marks(cube.block, cube.shape.depth);
  for (const CubePoint& point : cube.points) {
    const std::optional<uint32_t>& phase = cube.phases[point.step].phase;
    marks.at(point.row, point.column, point.k) = {when.toneOf(point.event, point.step),
                                                  phase && *phase % 2 == 1};
  }
  return marks;
}

void countPoints(const CubeTrace& cube, const When& when, CubeStep& to) {
  for (const CubePoint& point : cube.points) {
    const CubeTone tone = when.toneOf(point.event, point.step);
    to.done += tone != CubeTone::later ? 1 : 0;
    if (tone != CubeTone::now) continue;
    ++to.now;
    if (!to.nowSlab) to.nowSlab = CubeSlab{point.k, point.k};
    to.nowSlab =
        CubeSlab{std::min(to.nowSlab->first, point.k), std::max(to.nowSlab->last, point.k)};
  }
}

/// Combines elements of a row into runs. Each bool is true for an access in the present step.
std::vector<CubeRun> runsOf(std::vector<std::pair<MatrixElement, bool>> elements) {
  // If an element occurs twice, its present access comes first.
  std::ranges::sort(elements, {}, [](const auto& entry) {
    return std::tuple(entry.first.row, entry.first.column, !entry.second);
  });
  std::vector<CubeRun> runs;
  for (const auto& [element, now] : elements) {
    if (!runs.empty()) {
      CubeRun& last = runs.back();
      const bool same = last.row == element.row;
      if (same && element.column < last.column + last.count) continue;
      if (same && element.column == last.column + last.count && last.now == now) {
        ++last.count;
        continue;
      }
    }
    runs.push_back({element.row, element.column, 1, now});
  }
  return runs;
}

using TouchedElements = std::vector<std::pair<MatrixElement, bool>>;

void addLoaded(const CubeTrace& cube, const TracedStep& step, const When& when, CubeStep& to) {
  TouchedElements left, right;
  for (const CubeLoad& load : cube.loads)
    if (when.toneOf(load.event, load.step) == CubeTone::done)
      (load.right ? right : left).emplace_back(load.element, false);
  for (const trace::GlobalLoad& load : step.activity.globalLoads) {
    if (load.from.buffer == cube.shape.left)
      left.emplace_back(cube.shape.leftAt(load.from.offset), true);
    if (load.from.buffer == cube.shape.right)
      right.emplace_back(cube.shape.rightAt(load.from.offset), true);
  }
  to.left = runsOf(std::move(left));
  to.right = runsOf(std::move(right));
}

void addStored(const CubeTrace& cube, const TracedStep& step, CubeStep& to) {
  TouchedElements product;
  for (const trace::OutputElement& element : step.state.outputs)
    if (element.written && element.place.buffer == cube.shape.product)
      product.emplace_back(cube.shape.productAt(element.place.offset), false);
  for (const trace::Access& store : step.activity.outputStores)
    if (store.buffer == cube.shape.product)
      product.emplace_back(cube.shape.productAt(store.offset), true);
  to.product = runsOf(std::move(product));
}

void countLoads(const CubeTrace& cube, const TracedStep& step, CubeStep& to) {
  if (step.grain != trace::StepGranularity::phase) {
    const LoadSums &before = cube.loadSums[step.step.firstEvent],
                   &after = cube.loadSums[step.step.lastEvent + 1];
    to.loads = after;
    to.loadsNow = {after.left - before.left, after.right - before.right};
    return;
  }
  for (size_t i = 0; i <= step.index && i < cube.phases.size(); ++i) {
    const CubePhase& phase = cube.phases[i];
    to.loads.left += phase.leftLoads;
    to.loads.right += phase.rightLoads;
    if (i >= step.first)
      to.loadsNow = {to.loadsNow.left + phase.leftLoads, to.loadsNow.right + phase.rightLoads};
  }
}

}  // namespace

CubeStep cubeStepOf(const CubeTrace& cube, const TracedStep& step) {
  CubeStep to;
  const When when(step);
  const CubeMarks marks = marksOf(cube, when);
  to.separate = cube.points.size() <= kMostSeparatePoints;
  to.faces = to.separate ? separatePoints(marks) : surfaceOf(marks);
  countPoints(cube, when, to);
  countLoads(cube, step, to);
  addLoaded(cube, step, when, to);
  addStored(cube, step, to);
  if (step.step.phase) {
    to.phase = step.side->replay->sameMoment(step.grain, step.index, trace::StepGranularity::phase);
    const CubePhase& phase = cube.phases[*to.phase];
    if (phase.points > 0) to.slab = CubeSlab{phase.kFirst, phase.kLast};
  }
  to.sentence = cubeSentence(cube, to, step);
  return to;
}

std::optional<double> reuseOf(uint64_t points, uint64_t loads) {
  if (loads == 0) return std::nullopt;
  return static_cast<double>(points) / static_cast<double>(loads);
}

}  // namespace tilestep::features
