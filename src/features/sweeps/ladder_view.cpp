// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder_view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "base/figure.h"
#include "base/library_product.h"
#include "features/sweeps/ladder_plan.h"
#include "metrics/coalescing.h"
#include "model/text/traffic.h"

namespace tilestep::features {
namespace {

using State = SweepCell::State;

/// Smaller relative changes, and amounts close to zero, are not mentioned.
constexpr double kTold = 0.05, kNothing = 0.02;

const SweepPoint& pointOf(const LadderInputs& in, const LadderRow& row) {
  return in.sweep->plan->points[in.sweep->cells[row.cell].point];
}

/// The sums that the ladder uses: of shared wavefronts, L2 sectors and DRAM bytes.
bool hasSums(const SweepSample* sample) {
  return sample != nullptr && sample->hardware &&
         sample->hardware->sum("shared_load_wavefronts", "shared_store_wavefronts") &&
         sample->hardware->sum("l2_read_sectors", "l2_write_sectors") &&
         sample->hardware->sum("dram_bytes_read", "dram_bytes_written");
}

metrics::LaunchShape shapeOf(const SweepPoint& point, const SweepSample* sample, bool hardware) {
  metrics::LaunchShape shape;
  shape.operations = point.operations;
  shape.blocks = point.blocks;
  shape.bufferBytes = point.leastBytes;
  if (!hardware || !hasSums(sample)) return shape;
  shape.l2Bytes =
      *sample->hardware->sum("l2_read_sectors", "l2_write_sectors") * metrics::kSectorBytes;
  shape.dramBytes = sample->hardware->sum("dram_bytes_read", "dram_bytes_written");
  return shape;
}

/// Hardware wavefronts of shared memory from the measured launch, per multiply-add. The hardware
/// may count the writes of asynchronous copies separately, so for a rung with copies these are a
/// lower bound.
metrics::CountedWork workOf(const RungCounts& counts, const SweepPoint& point,
                            const SweepSample* sample, bool hardware) {
  metrics::CountedWork work = counts.work;
  if (!hardware || !hasSums(sample) || point.operations <= 0) return work;
  work.sharedWavefronts = work.sharedLeast =
      *sample->hardware->sum("shared_load_wavefronts", "shared_store_wavefronts") *
      work.multiplyAdds / (point.operations / 2);
  work.sharedAtLeast = counts.copies;
  return work;
}

/// Whether the hardware counted every timed rung; otherwise the rungs would not be comparable.
bool hasHardware(const LadderInputs& in) {
  bool any = false;
  for (const SweepPoint& point : in.sweep->plan->points) {
    const compile::KernelSpec& spec = *in.sweep->plan->series[point.series].spec;
    if (isLibraryProduct(spec.name) || spec.reference != "matmul") continue;
    const SweepSample* sample = point.illegal.empty() ? in.find(point) : nullptr;
    if (sample == nullptr || !sample->time) continue;
    if (!hasSums(sample)) return false;
    any = true;
  }
  return any;
}

std::optional<double> occupancyOf(const LadderInputs& in, const SweepPoint& point,
                                  const SweepSample* sample) {
  if (!in.multiprocessor || sample == nullptr || !sample->registers || point.threads == 0)
    return std::nullopt;
  const metrics::BlockNeeds needs{point.threads, *sample->registers,
                                  sample->sharedBytes.value_or(point.sharedBytes), 0};
  const metrics::Occupancy occupancy = metrics::occupancy(*in.multiprocessor, needs);
  if (!occupancy.refusal.empty()) return std::nullopt;
  return occupancy.ratio();
}

std::string gapOf(const LadderInputs& in, const SweepCell& cell) {
  if (cell.state == State::waiting) return "not run yet: C runs what is missing";
  if (cell.state == State::illegal) return "cannot run: " + cell.reason;
  const bool noTimes =
      cell.state == State::missing && in.sweep->plan->source == SweepSource::interpreter;
  return noTimes ? "no time: choose a GPU or a recording among the devices" : cell.reason;
}

LadderRow rowOf(const LadderInputs& in, size_t index, bool hardware) {
  const SweepCell& cell = in.sweep->cells[index];
  const SweepPoint& point = in.sweep->plan->points[cell.point];
  const SweepSeries& series = in.sweep->plan->series[point.series];
  LadderRow row;
  row.cell = index;
  row.library = isLibraryProduct(series.spec->name);
  row.number = row.library ? "" : rungNumberOf(series.spec->name);
  row.name = series.name;
  row.kernel = series.kernel;
  row.otherPrecision = series.spec->reference != "matmul";
  row.from = series.from;
  row.tunables = lab::pointText({}, point.tunables);
  row.state = cell.state;
  row.gap = gapOf(in, cell);
  if (cell.state == State::done) row.speed = cell.value;
  const SweepSample* sample = in.find(point);
  if (row.library) return row;
  row.occupancy = occupancyOf(in, point, sample);
  if (sample != nullptr) row.registers = sample->registers;
  const RungCounts* counts = in.counts(point);
  if (counts == nullptr || !counts->reason.empty() || row.otherPrecision) return row;
  row.limits = metrics::limitsOf(workOf(*counts, point, sample, hardware),
                                 shapeOf(point, sample, hardware), in.rates);
  if (!row.limits) return row;
  row.predicted = row.limits->predicted(point.operations);
  row.merged = row.limits->merged(point.operations);
  row.limitText = limitTextOf(*row.limits);
  if (row.speed) row.reached = row.speed->value / *row.predicted;
  return row;
}

void addShares(LadderView& view) {
  std::optional<double> products[2];  // The library's speeds: FP32, other precision.
  for (const LadderRow& row : view.rows)
    if (row.library && row.speed) products[row.otherPrecision ? 1 : 0] = row.speed->value;
  view.library = products[0];
  for (size_t i = 0; i < view.rows.size(); ++i) {
    LadderRow& row = view.rows[i];
    if (!row.speed) continue;
    const double speed = row.speed->value;
    const auto& library = products[row.otherPrecision ? 1 : 0];
    if (library && !row.library) row.ofLibrary = speed / *library;
    if (row.otherPrecision) continue;
    if (view.peak) row.ofPeak = speed / *view.peak;
    if (!row.library && (!view.best || speed > view.rows[*view.best].speed->value)) view.best = i;
  }
}

void add(LadderRow& row, const std::string& what, const std::string& unit, double before,
         double after, bool percent = false) {
  const double larger = std::max(before, after);
  if (larger <= kNothing || std::fabs(after - before) <= kTold * larger) return;
  const auto text = [&](double value) {
    return percent ? toText(value, Unit::ratio) : amountText(value);
  };
  row.changes.push_back(
      {what, unit, before, after, what + " " + text(before) + " → " + text(after)});
}

/// The ratio of the two, always at least 1.
double factorOf(const LadderChange& change) {
  const double low = std::max(std::min(change.before, change.after), kNothing);
  return std::max(change.before, change.after) / low;
}

void addCounted(LadderRow& row, const RungCounts& before, const RungCounts& after,
                const metrics::CountedWork& a, const metrics::CountedWork& b, bool hardware) {
  const double from = before.warpMultiplyAdds(), to = after.warpMultiplyAdds();
  if (from <= 0 || to <= 0) return;
  const std::string each = "a warp's multiply-add";
  const auto count = [&](const char* what, double was, double is) {
    add(row, what, each, was / from, is / to);
  };
  const auto whole = [](uint64_t value) { return static_cast<double>(value); };
  const bool all = !a.copiesUncounted && !b.copiesUncounted;
  if (all) {
    count("bytes asked by lanes",
          whole(before.total.globalLoad.bytes + before.total.globalStore.bytes),
          whole(after.total.globalLoad.bytes + after.total.globalStore.bytes));
    count("global sectors", a.globalSectors, b.globalSectors);
    if (a.globalLines && b.globalLines) count("L1 lines", *a.globalLines, *b.globalLines);
  }
  if (all || hardware)
    count("shared wavefronts", a.sharedWavefronts, b.sharedWavefronts);
  else
    count("shared load wavefronts", whole(before.total.sharedLoad.wavefronts),
          whole(after.total.sharedLoad.wavefronts));
  const auto conflicts = [&](const trace::Counters& of) {
    return whole(of.sharedLoad.bankConflicts + (all ? of.sharedStore.bankConflicts : 0));
  };
  count(all ? "bank conflicts" : "bank conflicts of loads", conflicts(before.total),
        conflicts(after.total));
  if (a.warpInstructions && b.warpInstructions)
    count("instructions", *a.warpInstructions, *b.warpInstructions);
}

/// The change of the amount that limited the rung below; otherwise the largest change per
/// multiply-add of a warp, otherwise the largest change of the launch.
std::string mostTelling(const LadderRow& row, const LadderRow& below) {
  constexpr std::array<const char*, metrics::kResources> kOf{
      "", "instructions", "shared wavefronts", "L1 lines", "", ""};
  const std::string limiting = below.limits ? kOf[static_cast<size_t>(below.limits->limit)] : "";
  const auto rank = [&](const LadderChange& change) {
    return std::tuple(change.what == limiting, !change.unit.empty(), factorOf(change));
  };
  const auto best = std::ranges::max_element(row.changes, {}, rank);
  return best == row.changes.end() ? "" : best->text;
}

void addChanges(const LadderInputs& in, LadderRow& row, const LadderRow& below, bool hardware) {
  const SweepPoint &from = pointOf(in, below), &to = pointOf(in, row);
  const RungCounts *before = in.counts(from), *after = in.counts(to);
  if (before != nullptr && after != nullptr && before->reason.empty() && after->reason.empty())
    addCounted(row, *before, *after, workOf(*before, from, in.find(from), hardware),
               workOf(*after, to, in.find(to), hardware), hardware);
  if (below.registers && row.registers)
    add(row, "registers per thread", "", *below.registers, *row.registers);
  if (below.occupancy && row.occupancy)
    add(row, "occupancy", "", *below.occupancy, *row.occupancy, true);
  add(row, "threads per block", "", from.threads, to.threads);
  add(row, "blocks", "", static_cast<double>(from.blocks), static_cast<double>(to.blocks));
  add(row, "shared bytes per block", "", from.sharedBytes, to.sharedBytes);
  const bool copies = before != nullptr && after != nullptr && !before->work.copiesUncounted &&
                      after->work.copiesUncounted;
  row.changeText = copies ? "loads become copies" : mostTelling(row, below);
}

metrics::TimeVerdict verdictOf(const SweepSample* run, const SweepSample* base) {
  if (run == nullptr || base == nullptr || !run->time || !base->time)
    return metrics::TimeVerdict::notTold;
  const auto spread = [](const device::Measurement& time) {
    return metrics::TimeSpread{time.medianMs, time.p10Ms, time.p90Ms};
  };
  return metrics::compareTimes(spread(*run->time), spread(*base->time));
}

void compare(const LadderInputs& in, LadderRow& row, const LadderRow& below, bool hardware) {
  row.belowText = below.limitText;
  if (row.limits && below.limits) {
    row.predictedGain = metrics::predictedGain(*below.limits, *row.limits);
    row.predictedText = gainText(*row.predictedGain);
  }
  if (row.speed && below.speed) {
    row.measuredGain = row.speed->value / below.speed->value;
    row.verdict = verdictOf(in.find(pointOf(in, row)), in.find(pointOf(in, below)));
    row.measuredText = gainText(*row.measuredGain, row.verdict);
  }
  addChanges(in, row, below, hardware);
}

/// The row to compare with: the first row of the same rung or, for that first row, the fastest row
/// of the rung below by measurement or, if not all its rows are measured, by prediction. Rungs of
/// another precision are skipped and have no rung below.
const LadderRow* belowOf(const LadderView& view, size_t index) {
  const LadderRow& row = view.rows[index];
  if (row.library || row.otherPrecision) return nullptr;
  const LadderRow *below = nullptr, *measured = nullptr, *predicted = nullptr;
  bool all = true;
  for (size_t i = index; i-- > 0;) {
    const LadderRow& other = view.rows[i];
    if (other.library || other.otherPrecision) continue;
    if (below != nullptr && other.kernel != below->kernel) break;
    below = &other;  // After the loop, the first row of that kernel.
    all &= other.speed.has_value();
    if (other.speed && (measured == nullptr || other.speed->value >= measured->speed->value))
      measured = &other;
    if (other.predicted && (predicted == nullptr || *other.predicted >= *predicted->predicted))
      predicted = &other;
  }
  if (below == nullptr || below->kernel == row.kernel) return below;
  return all && measured != nullptr ? measured : predicted != nullptr ? predicted : below;
}

std::string progressOf(const LadderInputs& in, const LadderView& view) {
  size_t known = 0, all = 0;
  for (const LadderRow& row : view.rows) {
    if (row.library || row.state == State::illegal) continue;
    ++all;
    known += in.counts(pointOf(in, row)) != nullptr ? 1 : 0;
  }
  return known == all ? "" : "Counting: " + std::to_string(known) + " of " + std::to_string(all);
}

std::string predictedByOf(const LadderInputs& in, bool hardware) {
  const std::string side = std::to_string(kLadderCountSide);
  const std::string counts = "counts by the interpreter at m = n = " + side + " and two k (" +
                             side + " and " + std::to_string(kLadderCountDeep) +
                             "), extended to the measured k, of the program as written (PTX)";
  if (in.ratesOrigin.empty()) return "No prediction without a device; " + counts + ".";
  const char* counters =
      ", but for shared wavefronts, L2 and DRAM, which the GPU's own counters give for each launch "
      "(caches cold)";
  return "Predicted from " + counts + (hardware ? counters : "") + ", and " + in.ratesOrigin + ".";
}

}  // namespace

LadderView ladderViewOf(const LadderInputs& in) {
  LadderView view;
  const SweepPlan& plan = *in.sweep->plan;
  const bool hardware = hasHardware(in);
  view.device = plan.deviceName;
  view.title = "The ladder at " + plan.fixed;
  view.origin = plan.source == SweepSource::interpreter ? "" : in.sweep->origin;
  view.logarithmic = plan.axesAt == 1;
  view.peak = in.rates.fp32FlopPerSecond;
  for (size_t i = 0; i < in.sweep->cells.size(); ++i) view.rows.push_back(rowOf(in, i, hardware));
  addShares(view);
  for (size_t i = 0; i < view.rows.size(); ++i) {
    LadderRow& row = view.rows[i];
    const LadderRow* below = belowOf(view, i);
    if (below != nullptr) compare(in, row, *below, hardware);
    explain(in, row, below, hardware);
    if (row.otherPrecision) continue;
    view.high =
        std::max({view.high, row.predicted.value_or(0), row.speed.value_or(SweepValue{}).value});
  }
  view.high = std::max({view.high, view.peak.value_or(0), view.library.value_or(0)});
  view.progress = progressOf(in, view);
  view.predictedBy = predictedByOf(in, hardware);
  return view;
}

}  // namespace tilestep::features
