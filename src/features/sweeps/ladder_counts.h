// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "features/sweeps/sweep_plan.h"
#include "lab/experiment.h"
#include "metrics/limits.h"

/// What the interpreter counts of the ladder's rungs. Pure but for the keeper, which is for one
/// thread.
namespace tilestep::model {

/// Counted at m = n of this, every rung's tiles divide it, and at two k: what a rung does grows by
/// the same for each further tile of k, so two tell what it does at any k that its tiles divide.
inline constexpr int64_t kLadderCountSide = 256;
inline constexpr int64_t kLadderCountDeep = 512;  ///< The other k.

/// Of the whole grid at `sizes`, and of the traced block what no counter holds.
struct RungCounts {
  compile::Bindings sizes;  ///< Where evaluated: those counted, but for k.
  trace::Counters total;
  metrics::CountedWork work;
  bool copies = false;  ///< It has asynchronous copies.
  std::string reason;   ///< Why there are none, a sentence; else empty.

  /// A warp's multiply-adds: what all amounts are divided by; 0: there are none.
  [[nodiscard]] double warpMultiplyAdds() const { return work.multiplyAdds / 32; }
};

/// Lines and mergeable wavefronts are those of the traced block, for each request or wavefront of
/// the grid.
[[nodiscard]] RungCounts rungCountsOf(const lab::RunResult& result);

/// Counts at `k` on the line through those at two k, none below 0; the reason of either, if any.
[[nodiscard]] RungCounts rungCountsAt(const RungCounts& shallow, const RungCounts& deep, int64_t k);

[[nodiscard]] lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point,
                                                int64_t k);

/// Keeps them by source and tunables, and says what to count next.
class LadderCounts {
 public:
  /// At the point's k. Null: not counted yet. Stays until something is forgotten.
  [[nodiscard]] const RungCounts* find(const SweepSeries& series, const SweepPoint& point);
  /// What is missing of the first rung of `plan` that was not counted; nothing: all were. The same
  /// until it is answered.
  [[nodiscard]] std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// The answer to what was wanted last.
  void accept(const lab::RunResult& result);
  /// `lost`: the worker ended, which may be no fault of the rung: it is asked for again, three
  /// times in all.
  void acceptError(const std::string& why, bool lost);
  /// Rungs that could not be counted are asked for again.
  void forgetFailed();
  /// Grows with each.
  [[nodiscard]] unsigned version() const { return version_; }
  [[nodiscard]] size_t size() const { return known_.size(); }

 private:
  struct Known {
    std::optional<RungCounts> shallow, deep;
    std::map<int64_t, RungCounts> at;  ///< By k.
    int lost = 0;                      ///< Workers, in a row.
    [[nodiscard]] bool failed() const;
  };
  static std::string keyOf(const SweepSeries& series, const SweepPoint& point);
  void put(RungCounts counts);

  std::map<std::string, Known> known_;
  std::string asked_;
  unsigned version_ = 0;
};

}  // namespace tilestep::model
