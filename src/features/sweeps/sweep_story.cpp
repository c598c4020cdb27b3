// SPDX-License-Identifier: Apache-2.0
// The sentence about a sweep.

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/factor.h"
#include "base/figure.h"
#include "base/library_product.h"
#include "features/sweeps/sweep_view.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;
using Cells = std::vector<const SweepCell*>;

const SweepPoint& pointOf(const SweepView& view, const SweepCell& cell) {
  return view.plan->points[cell.point];
}

const SweepSeries& seriesOf(const SweepView& view, const SweepCell& cell) {
  return view.plan->series[pointOf(view, cell).series];
}

bool isTime(const SweepView& view) {
  return view.quantity == SweepQuantity::speed || view.quantity == SweepQuantity::time;
}

/// "1.5 times faster", "16 times less": `value` relative to `base`; empty if they are nearly equal.
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

/// The cells with a value; if `series` is given, only those of that series.
Cells doneOf(const SweepView& view, std::optional<size_t> series = {}) {
  Cells done;
  for (const SweepCell& cell : view.cells)
    if (cell.state == State::done && (!series || pointOf(view, cell).series == *series))
      done.push_back(&cell);
  return done;
}

/// The first of the best cells, or of the worst ones. There must be a cell.
const SweepCell& bestOf(const SweepView& view, const Cells& cells, bool worst = false) {
  const bool less = lessIsBetter(view.quantity) != worst;
  return **std::ranges::min_element(cells, {}, [&](const SweepCell* cell) {
    return less ? cell->value.value : -cell->value.value;
  });
}

/// The number of other cells that equal the best one; for times, those whose spreads overlap with
/// its spread, which shows no significant difference.
std::string tie(const SweepView& view, const SweepCell& best, const Cells& cells) {
  const auto ties = [&](const SweepCell* cell) {
    if (cell == &best) return false;
    if (!isTime(view)) return cell->value.value == best.value.value;
    return best.value.spread && cell->value.low <= best.value.high &&
           best.value.low <= cell->value.high;
  };
  const auto count = std::ranges::count_if(cells, ties);
  if (count == 0) return {};
  const std::string others = count == 1 ? "1 other point" : std::to_string(count) + " other points";
  return best.value.spread ? ", within the spread of " + others : ", as for " + others;
}

/// "Best of tiled: TILE_WIDTH 32 with 8.8 TFLOP/s, 1.5 times faster than TILE_WIDTH 8".
std::string bestText(const SweepView& view, const std::string& of, const Cells& cells) {
  const SweepCell &best = bestOf(view, cells), &worst = bestOf(view, cells, true);
  const char* word = view.quantity == SweepQuantity::speed  ? "Best"
                     : view.quantity == SweepQuantity::time ? "Fastest"
                                                            : "Least";
  const std::string text =
      word + of + ": " + placeOf(view, best) + " with " + valueText(view, best);
  if (cells.size() == 1) return text;
  const std::string ratio = compared(view, best.value.value, worst.value.value);
  return text +
         (ratio.empty() ? ", and no other differs by more than half a percent"
                        : ", " + ratio + " than " + placeOf(view, worst)) +
         tie(view, best, cells);
}

std::string gaps(const SweepView& view) {
  const bool recorded = view.plan->source == SweepSource::recording;
  // Over sizes, points that are not recorded are no gaps: kernels are recorded at some sizes only.
  const bool unasked = recorded && view.plan->kind == SweepKind::sizes;
  if (view.missing == 0 || unasked) return {};
  return " " + std::to_string(view.missing) +
         (view.missing == 1 ? " point is missing: " : " points are missing: ") +
         (recorded ? "not in the recording." : "point at the gap to see why.");
}

std::string ofShapes(const SweepView& view) {
  return bestText(view, "", doneOf(view)) +
         (view.illegal > 0 ? "; " + std::to_string(view.illegal) + " hatched cells cannot run"
                           : "");
}

/// By the rules of model/launch_ratios.h, the reason why the main kernel has no ratio to the
/// companion at a point; empty if it has a ratio.
std::string whyNotCompared(const SweepView& view, const SweepCell& main, const SweepCell& other) {
  const bool areEqual = pointOf(view, main).block == pointOf(view, other).block;
  if (!view.plan->anyBlocks && !areEqual) return "it cannot run in equal blocks";
  const bool areTwo = main.machine > 0 && other.machine > 0 && main.machine != other.machine;
  return areTwo ? "its time is from another machine" : "";
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
  const Cells done = doneOf(view, 0);
  if (done.empty()) return plan.series[0].name + " has no value here";
  const bool two = plan.series.size() > 1;
  std::string text = bestText(view, two ? " of " + plan.series[0].name : "", done);
  if (two) text += againstComparison(view, bestOf(view, done));
  if (!plan.beyond.empty() && view.waiting == 0)
    text += "; above " + plan.x.textOf(plan.x.values.size() - 1) + " it cannot run: " + plan.beyond;
  return text;
}

std::string ofLadder(const SweepView& view) {
  const auto isFp32Rung = [&](const SweepCell& cell) {
    const compile::KernelSpec& spec = *seriesOf(view, cell).spec;
    return spec.reference == "matmul" && !isLibraryProduct(spec.name);
  };
  Cells rungs;
  size_t untimed = 0;  // Until all are timed, the fastest is unknown.
  for (const SweepCell& cell : view.cells) {
    if (!isFp32Rung(cell)) continue;
    if (cell.state == State::done) rungs.push_back(&cell);
    untimed += cell.state == State::waiting || cell.state == State::missing ? 1 : 0;
  }
  if (rungs.empty()) return "No rung was measured";
  const auto nameOf = [&](const SweepCell& cell) {
    return view.plan->x.textOf(pointOf(view, cell).column) + ", " + seriesOf(view, cell).name;
  };
  const SweepCell &best = bestOf(view, rungs), &first = *rungs.front();
  std::string text =
      untimed == 0 ? "The fastest rung in FP32 is " : "The fastest FP32 row that has a time is ";
  text += nameOf(best) + ": " + valueText(view, best);
  const std::string ratio = compared(view, best.value.value, first.value.value);
  if (&best != &first && !ratio.empty()) text += ", " + ratio + " than " + nameOf(first);
  if (untimed > 0)
    text += "; " + std::to_string(untimed) + (untimed == 1 ? " has" : " have") + " no time yet";
  return text;
}

/// Compares the kernels at the largest size for which there is a value.
std::string ofSizes(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  size_t column = 0;
  for (const SweepCell* cell : doneOf(view)) column = std::max(column, pointOf(view, *cell).column);
  Cells there = doneOf(view);
  std::erase_if(there,
                [&](const SweepCell* cell) { return pointOf(view, *cell).column != column; });
  const SweepCell &best = bestOf(view, there), &worst = bestOf(view, there, true);
  std::string text = "At " + plan.x.name + " = " + plan.x.textOf(column) + ": " +
                     seriesOf(view, best).name + " " + valueText(view, best);
  if (there.size() > 1) {
    const std::string ratio = compared(view, best.value.value, worst.value.value);
    text += ratio.empty() ? ", and the others the same"
                          : ", " + ratio + " than " + seriesOf(view, worst).name;
  }
  const SweepCell& first = *doneOf(view, pointOf(view, best).series).front();
  if (&first != &best)
    text +=
        "; at " + plan.x.textOf(pointOf(view, first).column) + " it has " + valueText(view, first);
  return text;
}

}  // namespace

std::string sweepStory(const SweepView& view) {
  const SweepPlan& plan = *view.plan;
  if (view.done == 0) {
    if (plan.kind == SweepKind::ladder && plan.source == SweepSource::interpreter)
      return "The interpreter counts and gives no times, so only predictions are shown. Speeds "
             "need a GPU or a recording.";
    if (plan.source == SweepSource::recording && view.missing > 0)
      return "The recording has none of these " + std::to_string(view.missing) + " points.";
    if (view.waiting > 0) return "Nothing has run yet. The circles are the points that will run.";
    return view.missing > 0 ? "None of these points has a value. Point at one to see why."
                            : "None of these points can run.";
  }
  const Cells done = doneOf(view);
  const bool flat = done.size() > 1 && std::ranges::all_of(done, [&](const SweepCell* cell) {
                      return cell->value.value == done.front()->value.value;
                    });
  std::string text = flat ? "The same at all " + std::to_string(done.size()) +
                                " points: " + valueText(view, *done.front())
                     : plan.kind == SweepKind::shapes ? ofShapes(view)
                     : plan.kind == SweepKind::sizes  ? ofSizes(view)
                     : plan.kind == SweepKind::ladder ? ofLadder(view)
                                                      : ofTunable(view);
  if (!text.ends_with('.')) text += '.';
  if (view.waiting > 0) text += " " + std::to_string(view.waiting) + " points have not run yet.";
  return text + gaps(view);
}

}  // namespace tilestep::features
