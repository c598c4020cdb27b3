// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "features/names.h"
#include "features/sweeps/sweep_plan.h"
#include "lab/experiment.h"
#include "metrics/limits.h"

/// The interpreter's counts for the ladder's rungs. Pure except for LadderCounts, which is for one
/// thread.
namespace tilestep::features {

/// Rungs are counted at m = n = this value, which every rung's tiles divide, and at two values of
/// k. Counts grow linearly with the tiles of k, so two points give the counts at any k that the
/// tiles divide.
inline constexpr int64_t kLadderCountSide = 256;
inline constexpr int64_t kLadderCountDeep = 512;  ///< The second value of k.

/// Counts of the whole grid at `sizes`; quantities without a counter are taken from the traced
/// block.
struct RungCounts {
  compile::Bindings sizes;  ///< The counted sizes, except for k, which is the evaluated one.
  trace::Counters total;
  metrics::CountedWork work;
  bool copies = false;  ///< The rung has asynchronous copies.
  std::string reason;   ///< The reason why there are no counts, in a sentence; otherwise empty.

  /// Multiply-adds per warp, the divisor of all amounts; 0: there are none.
  [[nodiscard]] double warpMultiplyAdds() const { return work.multiplyAdds / 32; }
};

/// With model::countedWorkOf.
[[nodiscard]] RungCounts rungCountsOf(const lab::RunResult& result);

/// Counts at `k`, linearly extrapolated from two values of k, none below 0; the reason of either,
/// if any.
[[nodiscard]] RungCounts rungCountsAt(const RungCounts& shallow, const RungCounts& deep, int64_t k);

[[nodiscard]] lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point,
                                                int64_t k);

/// Keeps counts by source and tunables, and decides what to count next.
class LadderCounts {
 public:
  /// The counts at the point's k. Null: not counted yet. The pointer is valid until something is
  /// forgotten.
  [[nodiscard]] const RungCounts* find(const SweepSeries& series, const SweepPoint& point);
  /// The missing experiment for the first rung of `plan` that is not counted yet; absent: all are.
  /// The same experiment until it is answered.
  [[nodiscard]] std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// Accepts the result for the experiment that `wanted` returned last.
  void accept(const lab::RunResult& result);
  /// `lost`: the worker ended, which need not be the rung's fault, so it is requested again, three
  /// times in all.
  void acceptError(const std::string& why, bool lost);
  /// Requests failed rungs again.
  void forgetFailed();
  /// Grows with each change.
  [[nodiscard]] unsigned version() const { return version_; }
  [[nodiscard]] size_t size() const { return known_.size(); }

 private:
  struct Known {
    std::optional<RungCounts> shallow, deep;
    std::map<int64_t, RungCounts> at;  ///< By k.
    int lost = 0;                      ///< Consecutive lost workers.
    [[nodiscard]] bool failed() const;
  };
  static std::string keyOf(const SweepSeries& series, const SweepPoint& point);
  void put(RungCounts counts);

  std::map<std::string, Known> known_;
  std::string asked_;
  unsigned version_ = 0;
};

}  // namespace tilestep::features
