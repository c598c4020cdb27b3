// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>

#include "lab/experiment.h"
#include "metrics/limits.h"
#include "session/sweep_plan.h"

/// What the interpreter counts of the ladder's rungs. Pure but for the keeper, which is for one
/// thread.
namespace tilestep::session {

/// Counted at m = n = k of this: every rung's tiles divide it, and each takes well under a second.
inline constexpr int64_t kLadderCountSide = 256;

/// Of the whole grid at the counted sizes, and of the traced block what no counter holds.
struct RungCounts {
  compile::Bindings sizes;
  trace::Counters total;
  metrics::CountedWork work;
  std::string reason;  ///< Why there are none, a sentence; else empty.

  /// A warp's multiply-adds: what all amounts are divided by; 0: there are none.
  [[nodiscard]] double warpMultiplyAdds() const { return work.multiplyAdds / 32; }
};

/// Lines and mergeable wavefronts are those of the traced block, for each request or wavefront of
/// the grid. Loads that are fewer than the inputs' bytes mean copies that are not counted.
[[nodiscard]] RungCounts rungCountsOf(const lab::Result& result);

[[nodiscard]] lab::Experiment countExperimentOf(const SweepSeries& series, const SweepPoint& point);

/// Keeps them by source and tunables, and says what to count next.
class LadderCounts {
 public:
  /// Null: not counted yet.
  [[nodiscard]] const RungCounts* find(const SweepSeries& series, const SweepPoint& point) const;
  /// The first rung of `plan` that was not counted; nothing: all were. The same until it is.
  [[nodiscard]] std::optional<lab::Experiment> wanted(const SweepPlan& plan);
  /// The answer to what was wanted last.
  void accept(const lab::Result& result);
  void acceptError(const std::string& why);
  /// Grows with each.
  [[nodiscard]] unsigned version() const { return version_; }
  [[nodiscard]] size_t size() const { return known_.size(); }

 private:
  static std::string keyOf(const SweepSeries& series, const SweepPoint& point);
  void put(RungCounts counts);

  std::map<std::string, RungCounts> known_;
  std::string asked_;
  unsigned version_ = 0;
};

}  // namespace tilestep::session
