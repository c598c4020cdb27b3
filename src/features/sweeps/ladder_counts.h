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

/// Rungs are counted at m = n = this value, which is a multiple of every rung's tiles, and at two
/// values of k. Counts are linear in k at multiples of the tiles, so two points give them all.
inline constexpr int64_t kLadderCountSide = 256;
inline constexpr int64_t kLadderCountDeep = 512;  ///< The second value of k.

/// Counts of the whole grid; quantities without a counter are taken from the traced block.
struct RungCounts {
  compile::Bindings sizes;  ///< The counted m and n, and the k of the result.
  trace::Counters total;
  metrics::CountedWork work;
  bool copies = false;  ///< The rung has asynchronous copies.
  std::string reason;   ///< The reason why there are no counts, in a sentence; otherwise empty.

  /// Multiply-adds per warp, the divisor of all amounts; may be 0.
  [[nodiscard]] double warpMultiplyAdds() const { return work.multiplyAdds / 32; }
};

/// With model::countedWorkOf.
[[nodiscard]] RungCounts rungCountsOf(const lab::RunResult& result);

/// Counts at `k`, linearly extrapolated from kLadderCountSide and kLadderCountDeep, at least 0. If
/// one of the two has a reason instead of counts, so does the result.
[[nodiscard]] RungCounts rungCountsAt(const RungCounts& shallow, const RungCounts& deep, int64_t k);

[[nodiscard]] lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point,
                                                int64_t k);

/// Keeps counts by source and tunables, and decides what to count next.
class LadderCounts {
 public:
  /// The counts at the point's k; null if not counted yet. Valid until forgetFailed.
  [[nodiscard]] const RungCounts* find(const SweepSeries& series, const SweepPoint& point);
  /// An experiment for the first rung of `plan` that is not counted yet, the same until it is
  /// answered; absent if all are counted.
  [[nodiscard]] std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// Accepts the result for the experiment that `wanted` returned last.
  void accept(const lab::RunResult& result);
  /// `lost`: the worker ended. The rung may not be the cause, so it is requested three times.
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
