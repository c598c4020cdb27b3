// SPDX-License-Identifier: Apache-2.0
#include "features/sweeps/ladder_counts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/hash.h"
#include "base/library_product.h"
#include "lab/figures.h"
#include "model/counted_work.h"

namespace tilestep::features {
namespace {

constexpr double kSecondsAtMost = 60;
constexpr int kMostLostCounts = 3;

/// Extrapolates from the counts at the smaller and the larger k to `k`.
class LineInK {
 public:
  explicit LineInK(int64_t k)
      : steps_(static_cast<double>(k - kLadderCountSide) /
               static_cast<double>(kLadderCountDeep - kLadderCountSide)) {}

  void move(metrics::CountedWork& at, const metrics::CountedWork& there) const {
    using Work = metrics::CountedWork;
    for (const auto amount : {&Work::multiplyAdds, &Work::sharedWavefronts, &Work::sharedLeast,
                              &Work::globalRequests, &Work::globalSectors})
      move(at.*amount, there.*amount);
    for (const auto amount : {&Work::warpInstructions, &Work::globalLines})
      move(at.*amount, there.*amount);
  }
  void move(trace::Counters& at, const trace::Counters& there) const {
    for (const trace::CounterField& field : trace::counterFields()) {
      std::optional<uint64_t> value = field.of(at);
      move(value, field.of(there));
      field.set(at, value);
    }
  }

 private:
  void move(double& at, double there) const { at = std::max(0.0, at + (there - at) * steps_); }
  void move(uint64_t& at, uint64_t there) const {
    auto value = static_cast<double>(at);
    move(value, static_cast<double>(there));
    at = static_cast<uint64_t>(std::llround(value));
  }
  template <class T>
  void move(std::optional<T>& at, const std::optional<T>& there) const {
    if (!there) at.reset();
    if (at) move(*at, *there);
  }
  double steps_;
};

}  // namespace

RungCounts rungCountsOf(const lab::RunResult& result) {
  RungCounts counts;
  counts.sizes = result.plan.sizes;
  if (!result.faults.empty())
    counts.reason = result.faults.front().message;
  else if (!result.counters)
    counts.reason = "it was not counted";
  if (!counts.reason.empty()) return counts;
  counts.total = result.counters->total;
  counts.work = countedWorkOf(result);
  counts.copies = result.trace && hasCopies(*result.trace);
  return counts;
}

RungCounts rungCountsAt(const RungCounts& shallow, const RungCounts& deep, int64_t k) {
  if (!shallow.reason.empty()) return shallow;
  if (!deep.reason.empty()) return deep;
  const LineInK line(k);
  RungCounts counts = shallow;
  counts.sizes["k"] = k;
  line.move(counts.total, deep.total);
  line.move(counts.work, deep.work);
  return counts;
}

lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point, int64_t k) {
  lab::Experiment experiment;
  experiment.source = series.source;
  experiment.sizes = point.sizes;
  for (auto& [name, value] : experiment.sizes) value = name == "k" ? k : kLadderCountSide;
  experiment.tunables = point.tunables;
  experiment.device = "simt";
  experiment.counters = true;
  experiment.measure = false;
  experiment.traceBlock = Dim3{0, 0, 0};
  experiment.timeoutSeconds = kSecondsAtMost;
  experiment.blocksInTurn = true;  // Otherwise the counts of blocks that wait would vary.
  return experiment;
}

bool LadderCounts::Known::failed() const {
  return (shallow && !shallow->reason.empty()) || (deep && !deep->reason.empty());
}

std::string LadderCounts::keyOf(const SweepSeries& series, const SweepPoint& point) {
  return hex64(series.code) + ";" + lab::pointText({}, point.tunables);
}

const RungCounts* LadderCounts::find(const SweepSeries& series, const SweepPoint& point) {
  const auto found = known_.find(keyOf(series, point));
  if (found == known_.end()) return nullptr;
  Known& known = found->second;
  if (!known.failed() && (!known.shallow || !known.deep)) return nullptr;
  const auto size = point.sizes.find("k");
  const int64_t k = size == point.sizes.end() ? kLadderCountSide : size->second;
  const auto at = known.at.find(k);
  if (at != known.at.end()) return &at->second;
  const RungCounts counts =
      rungCountsAt(known.shallow.value_or(RungCounts{}), known.deep.value_or(RungCounts{}), k);
  return &known.at.emplace(k, counts).first->second;
}

std::optional<lab::Experiment> LadderCounts::wanted(const SweepPlan& plan) {
  for (const SweepPoint& point : plan.points) {
    const SweepSeries& series = plan.series[point.series];
    const bool none = isLibraryProduct(series.spec->name) || !point.illegal.empty();
    if (none || find(series, point) != nullptr) continue;
    asked_ = keyOf(series, point);
    const bool deep = known_[asked_].shallow.has_value();
    return countExperimentOf(series, point, deep ? kLadderCountDeep : kLadderCountSide);
  }
  asked_.clear();
  return std::nullopt;
}

void LadderCounts::put(RungCounts counts) {
  if (asked_.empty()) return;
  Known& known = known_[std::exchange(asked_, {})];
  known.lost = 0;
  (known.shallow ? known.deep : known.shallow) = std::move(counts);
  ++version_;
}

void LadderCounts::accept(const lab::RunResult& result) {
  put(rungCountsOf(result));
}

void LadderCounts::acceptError(const std::string& why, bool lost) {
  if (lost && !asked_.empty() && ++known_[asked_].lost < kMostLostCounts) return;
  RungCounts counts;
  counts.reason = why;
  put(std::move(counts));
}

void LadderCounts::forgetFailed() {
  if (std::erase_if(known_, [](const auto& known) { return known.second.failed(); }) > 0)
    ++version_;
}

}  // namespace tilestep::features
