// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/sweep_story.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/factor.h"
#include "base/figure.h"
#include "base/library_product.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

const SweepPoint& pointOf(const SweepView& view, const SweepCell& cell) {
  return view.plan->points[cell.point];
}

/// "1.5 times faster", "16 times less": the first relative to the second; absent if they are equal.
std::string compared(const SweepView& view, double value, double base) {
  if (value <= 0 || base <= 0 || isNearly(value, base)) return {};
  return factorText(value, base,
                    view.quantity == SweepQuantity::speed  ? kSpeedWords
                    : view.quantity == SweepQuantity::time ? kTimeWords
                                                           : kLessOrMore);
}

/// A point's position in words: "TILE_WIDTH 32", "BLOCK_X 32, BLOCK_Y 8".
std::string placeOf(const SweepView& view, const SweepCell& cell) {
  const SweepPlan& plan = *view.plan;
  const SweepPoint& point = pointOf(view, cell);
  const auto text = [](const SweepAxis& axis, size_t index) {
    return axis.ofSizes ? axis.name + " = " + axis.textOf(index)
                        : axis.name + " " + axis.textOf(index);
  };
  std::string place = text(plan.x, point.column);
  if (!plan.y.values.empty()) place += ", " + text(plan.y, point.row);
  return place;
}

std::string valueText(const SweepView& view, const SweepCell& cell) {
  return textOf(view.quantity, *view.plan, cell.value.value);
}

std::vector<const SweepCell*> doneOf(const SweepView& view, std::optional<size_t> series) {
  std::vector<const SweepCell*> done;
  for (const SweepCell& cell : view.cells)
    if (cell.state == State::done && (!series || pointOf(view, cell).series == *series))
      done.push_back(&cell);
  return done;
}

/// The first of the best; cells must not be empty.
const SweepCell* bestOf(const SweepView& view, const std::vector<const SweepCell*>& cells,
                        bool worst = false) {
  const bool less = lessIsBetter(view.quantity) != worst;
  return *std::ranges::min_element(cells, {}, [&](const SweepCell* cell) {
    return less ? cell->value.value : -cell->value.value;
  });
}

std::string bestWord(const SweepView& view) {
  return view.quantity == SweepQuantity::speed  ? "Best"
         : view.quantity == SweepQuantity::time ? "Fastest"
                                                : "Least";
}

/// "1.5 times faster than TILE_WIDTH 8": the best relative to the worst.
std::string againstWorst(const SweepView& view, const SweepCell& best, const SweepCell& worst) {
  const std::string ratio = compared(view, best.value.value, worst.value.value);
  if (ratio.empty()) return ", and no other differs by more than half a percent";
  return ", " + ratio + " than " + placeOf(view, worst);
}

/// Overlapping spreads show no significant difference.
std::string tie(const SweepView& view, const SweepCell& best,
                const std::vector<const SweepCell*>& cells) {
  size_t equal = 0, within = 0;
  for (const SweepCell* cell : cells) {
    if (cell == &best) continue;
    if (cell->value.value == best.value.value) ++equal;
    const bool overlaps = cell->value.low <= best.value.high && best.value.low <= cell->value.high;
    if (best.value.spread && overlaps) ++within;
  }
  const size_t count = view.quantity == SweepQuantity::speed || view.quantity == SweepQuantity::time
                           ? within
                           : equal;
  if (count == 0) return {};
  const std::string others = count == 1 ? "1 other point" : std::to_string(count) + " other points";
  return best.value.spread ? ", within the spread of " + others : ", as for " + others;
}

std::string ended(std::string text) {
  if (text.empty() || text.back() != '.') text += '.';
  return text;
}

std::string gaps(const SweepView& view) {
  const bool recorded = view.plan->source == SweepSource::recording;
  // Not every kernel is recorded at every size, and those points were not requested.
  const bool unasked = recorded && view.plan->kind == SweepKind::sizes;
  if (view.missing == 0 || unasked) return {};
  return " " + std::to_string(view.missing) +
         (view.missing == 1 ? " point is missing: " : " points are missing: ") +
         (recorded ? "not in the recording." : "point at the gap to see why.");
}

std::string ofShapes(const SweepView& view) {
  const auto done = doneOf(view, {});
  const SweepCell *best = bestOf(view, done), *worst = bestOf(view, done, true);
  std::string text =
      bestWord(view) + ": " + placeOf(view, *best) + " with " + valueText(view, *best);
  if (done.size() > 1) text += againstWorst(view, *best, *worst) + tie(view, *best, done);
  if (view.illegal > 0) text += "; " + std::to_string(view.illegal) + " hatched cells cannot run";
  return text;
}

/// The reason why the main kernel has no ratio to the companion at a point; empty if it has one, as
/// in model/launch_ratios.h.
std::string whyNotCompared(const SweepView& view, const SweepCell& main, const SweepCell& other) {
  const bool areEqual = pointOf(view, main).block == pointOf(view, other).block;
  if (!view.plan->anyBlocks && !areEqual) return "it cannot run in equal blocks";
  const bool areTwo = main.machine > 0 && other.machine > 0 && main.machine != other.machine;
  return areTwo ? "another machine took its time" : "";
}

/// The main kernel relative to the companion, at the main kernel's best point.
std::string againstComparison(const SweepView& view, const SweepCell& best) {
  const size_t column = pointOf(view, best).column;
  for (const SweepCell* other : doneOf(view, 1)) {
    if (pointOf(view, *other).column != column) continue;
    const std::string name = view.plan->series[1].name;
    if (const std::string why = whyNotCompared(view, best, *other); !why.empty())
      return "; " + name + " is not compared, because " + why;
    const std::string ratio = compared(view, best.value.value, other->value.value);
    if (ratio.empty()) return ", the same as " + name + " there";
    return ", " + ratio + " than " + name + " there";
  }
  return {};
}

std::string ofTunable(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  const auto done = doneOf(view, 0);
  if (done.empty()) return plan.series[0].name + " has no value here";
  const SweepCell *best = bestOf(view, done), *worst = bestOf(view, done, true);
  const bool two = plan.series.size() > 1;
  std::string text = bestWord(view) + (two ? " of " + plan.series[0].name : std::string()) + ": " +
                     placeOf(view, *best) + " with " + valueText(view, *best);
  if (done.size() > 1) text += againstWorst(view, *best, *worst) + tie(view, *best, done);
  if (two) text += againstComparison(view, *best);
  if (!plan.beyond.empty() && view.waiting == 0)
    text += "; above " + plan.x.textOf(plan.x.values.size() - 1) + " it cannot run: " + plan.beyond;
  return text;
}

/// FP32 rungs that could be timed but are not; until then the fastest is unknown.
size_t untimedRungs(const SweepView& view) {
  return static_cast<size_t>(std::ranges::count_if(view.cells, [&](const SweepCell& cell) {
    const compile::KernelSpec& spec = *view.plan->series[pointOf(view, cell).series].spec;
    return (cell.state == State::waiting || cell.state == State::missing) &&
           spec.reference == "matmul" && !isLibraryProduct(spec.name);
  }));
}

std::string ofLadder(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  std::vector<const SweepCell*> rungs;
  for (const SweepCell* cell : doneOf(view, {}))
    if (plan.series[pointOf(view, *cell).series].spec->reference == "matmul" &&
        !isLibraryProduct(plan.series[pointOf(view, *cell).series].spec->name))
      rungs.push_back(cell);
  if (rungs.empty()) return "No rung was measured";
  const auto nameOf = [&](const SweepCell* cell) {
    const SweepPoint& point = pointOf(view, *cell);
    return plan.x.textOf(point.column) + ", " + plan.series[point.series].name;
  };
  const SweepCell *best = bestOf(view, rungs), *first = rungs.front();
  const size_t untimed = untimedRungs(view);
  std::string text = untimed == 0 ? "The fastest rung in FP32 is "
                                  : "Of the FP32 rows that have a time the fastest is ";
  text += nameOf(best) + ": " + valueText(view, *best);
  const std::string ratio = compared(view, best->value.value, first->value.value);
  if (best != first && !ratio.empty()) text += ", " + ratio + " than " + nameOf(first);
  if (untimed > 0)
    text += "; " + std::to_string(untimed) + (untimed == 1 ? " has" : " have") + " no time yet";
  return text;
}

std::string ofSizes(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  // At the largest size that any kernel has.
  std::optional<size_t> column;
  for (const SweepCell* cell : doneOf(view, {}))
    column = std::max(column.value_or(0), pointOf(view, *cell).column);
  std::vector<const SweepCell*> there;
  for (const SweepCell* cell : doneOf(view, {}))
    if (pointOf(view, *cell).column == *column) there.push_back(cell);
  const SweepCell *best = bestOf(view, there), *worst = bestOf(view, there, true);
  const auto nameOf = [&](const SweepCell* cell) {
    return plan.series[pointOf(view, *cell).series].name;
  };
  std::string text = "At " + plan.x.name + " = " + plan.x.textOf(*column) + ": " + nameOf(best) +
                     " " + valueText(view, *best);
  if (there.size() > 1) {
    const std::string ratio = compared(view, best->value.value, worst->value.value);
    text += ratio.empty() ? ", and the others the same" : ", " + ratio + " than " + nameOf(worst);
  }
  const auto own = doneOf(view, pointOf(view, *best).series);
  const SweepCell* first = own.front();
  if (own.size() > 1 && first != best)
    text += "; at " + plan.x.textOf(pointOf(view, *first).column) + " it has " +
            valueText(view, *first);
  return text;
}

}  // namespace

std::string sweepStory(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  const auto any = doneOf(view, {});
  const bool flat = any.size() > 1 && std::ranges::all_of(any, [&](const SweepCell* cell) {
                      return cell->value.value == any.front()->value.value;
                    });
  if (view.done == 0) {
    if (plan.kind == SweepKind::ladder && plan.source == SweepSource::interpreter)
      return "The interpreter counts and gives no times, so only predictions are shown. Speeds "
             "need "
             "a GPU or a recording.";
    if (plan.source == SweepSource::recording && view.missing > 0)
      return "The recording has none of these " + std::to_string(view.missing) + " points.";
    if (view.waiting == 0 && view.missing > 0)
      return "None of these points has a value. Point at one to see why.";
    return view.waiting == 0 ? "None of these points can run."
                             : "Nothing has run yet. The circles are the points that will run.";
  }
  std::string text = flat ? "The same at all " + std::to_string(any.size()) +
                                " points: " + valueText(view, *any.front())
                     : plan.kind == SweepKind::shapes ? ofShapes(view)
                     : plan.kind == SweepKind::sizes  ? ofSizes(view)
                     : plan.kind == SweepKind::ladder ? ofLadder(view)
                                                      : ofTunable(view);
  text = ended(std::move(text));
  if (view.waiting > 0) text += " " + std::to_string(view.waiting) + " points have not run yet.";
  return text + gaps(view);
}

}  // namespace tilestep::features
