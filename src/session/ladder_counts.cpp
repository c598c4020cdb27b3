// SPDX-License-Identifier: Apache-2.0
#include "session/ladder_counts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/hash.h"
#include "base/library_product.h"
#include "lab/figures.h"
#include "metrics/bank_conflicts.h"
#include "metrics/coalescing.h"

namespace tilestep::session {
namespace {

constexpr double kSecondsAtMost = 60;

/// Sums over the traced block's requests.
struct Traced {
  double requests = 0, lines = 0;
  double wavefronts = 0, least = 0;
};

double linesOf(const trace::TraceEvent& event) {
  std::array<uint32_t, 64> lines{};
  size_t count = 0;
  for (const uint32_t offset : event.offsets) {
    lines[count++] = offset / metrics::kLineBytes;
    const uint32_t last = (offset + event.width - 1) / metrics::kLineBytes;
    if (last != lines[count - 1]) lines[count++] = last;
  }
  std::sort(lines.begin(), lines.begin() + static_cast<long>(count));
  const auto end = std::unique(lines.begin(), lines.begin() + static_cast<long>(count));
  return static_cast<double>(end - lines.begin());
}

Traced tracedOf(const trace::Recording& recording) {
  using trace::Operation;
  Traced sums;
  for (size_t i = 0; i < recording.size(); ++i) {
    const trace::TraceEvent event = recording.event(i);
    const bool moves = event.operation == Operation::load || event.operation == Operation::store;
    if (!moves || event.offsets.empty() || event.offsets.size() > 32) continue;
    if (event.space == trace::Space::global) {
      ++sums.requests;
      sums.lines += linesOf(event);
    } else if (event.space == trace::Space::shared) {
      const metrics::BankUse use = metrics::bankUse(event.offsets, event.width);
      sums.wavefronts += use.wavefronts;
      sums.least += metrics::leastWavefronts(use.wavefronts, use.distinctWords, event.width);
    }
  }
  return sums;
}

}  // namespace

RungCounts rungCountsOf(const lab::Result& result) {
  RungCounts counts;
  counts.sizes = result.plan.sizes;
  if (!result.faults.empty())
    counts.reason = result.faults.front().message;
  else if (!result.counters)
    counts.reason = "it was not counted";
  if (!counts.reason.empty()) return counts;
  const trace::Counters& total = result.counters->total;
  counts.total = total;
  metrics::CountedWork& work = counts.work;
  const auto real = [](uint64_t count) { return static_cast<double>(count); };
  work.multiplyAdds = real(total.ffma + total.fadd + total.fmul);
  if (total.warpInstructions) work.warpInstructions = real(*total.warpInstructions);
  work.sharedWavefronts = real(total.sharedLoad.wavefronts + total.sharedStore.wavefronts);
  work.sharedLeast = work.sharedWavefronts;
  work.globalRequests = real(total.globalLoad.requests + total.globalStore.requests);
  work.globalSectors = real(total.globalLoad.sectors + total.globalStore.sectors);
  work.copiesUncounted = total.globalLoad.bytes < lab::compulsoryReadBytesOf(result.plan);
  if (!result.trace || result.trace->truncated()) return counts;
  const Traced traced = tracedOf(*result.trace);
  if (traced.requests > 0) work.globalLines = work.globalRequests * traced.lines / traced.requests;
  if (traced.wavefronts > 0)
    work.sharedLeast = work.sharedWavefronts * traced.least / traced.wavefronts;
  return counts;
}

lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point) {
  lab::Experiment experiment;
  experiment.source = series.source;
  experiment.sizes = point.sizes;
  for (auto& [name, value] : experiment.sizes) value = kLadderCountSide;
  experiment.tunables = point.tunables;
  experiment.device = "simt";
  experiment.counters = true;
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.timeoutSeconds = kSecondsAtMost;
  return experiment;
}

std::string LadderCounts::keyOf(const SweepSeries& series, const SweepPoint& point) {
  return hex64(series.code) + ";" + lab::pointText({}, point.tunables);
}

const RungCounts* LadderCounts::find(const SweepSeries& series, const SweepPoint& point) const {
  const auto at = known_.find(keyOf(series, point));
  return at == known_.end() ? nullptr : &at->second;
}

std::optional<lab::Experiment> LadderCounts::wanted(const SweepPlan& plan) {
  for (const SweepPoint& point : plan.points) {
    const SweepSeries& series = plan.series[point.series];
    const bool none = isLibraryProduct(series.spec->name) || !point.illegal.empty();
    if (none || find(series, point) != nullptr) continue;
    asked_ = keyOf(series, point);
    return countExperimentOf(series, point);
  }
  asked_.clear();
  return std::nullopt;
}

void LadderCounts::put(RungCounts counts) {
  if (asked_.empty()) return;
  known_[std::exchange(asked_, {})] = std::move(counts);
  ++version_;
}

void LadderCounts::accept(const lab::Result& result) {
  put(rungCountsOf(result));
}

void LadderCounts::acceptError(const std::string& why) {
  RungCounts counts;
  counts.reason = why;
  put(std::move(counts));
}

}  // namespace tilestep::session
