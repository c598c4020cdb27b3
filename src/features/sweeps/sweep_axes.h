// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "compile/front_matter/plan_attempt.h"
#include "features/sweeps/sweep_plan.h"

/// What the axes of a sweep's picture hold.
namespace tilestep::model {

/// Plans of one kernel, one after the other.
class Plans {
 public:
  Plans(const compile::KernelSpec& spec, const Limits& limits)
      : limits_(limits), planner_(spec, limits_) {}
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// The plan, or why there is none.
  std::variant<compile::Plan, compile::Obstacle> of(const compile::Bindings& sizes,
                                                    const compile::Bindings& tunables) {
    compile::Bindings all = sizes;
    for (const auto& [name, value] : tunables) all[name] = value;
    return planner_.attempt(all);
  }

 private:
  Limits limits_;
  compile::Planner planner_;
};

/// Values of a tunable: all of a few; of many the recorded ones, the chosen one and doublings.
[[nodiscard]] SweepAxis tunableAxis(const SweepInputs& in, const SweepKernel& kernel,
                                    const compile::TunableSpec& spec);
/// Sizes, all equal: the recorded ones, or doublings and the measured one.
[[nodiscard]] SweepAxis sizeAxis(const SweepInputs& in, const compile::KernelSpec& spec);

/// Sizes that the interpreter counts in well under a second: no larger than `sizes`.
[[nodiscard]] compile::Bindings smallSizesOf(const compile::Bindings& sizes);

/// Why a value beyond the axis's `last` would not run: the launch's own reason where there is one;
/// empty: it would, or nobody knows.
[[nodiscard]] std::string beyondAxis(const SweepInputs& in, const SweepKernel& kernel,
                                     const compile::TunableSpec& spec,
                                     const compile::Bindings& sizes, int64_t last);

/// True where the open recording has points of the kernel's tunables, or there is no recording.
[[nodiscard]] bool isRecorded(const SweepInputs& in, const SweepKernel& kernel);

}  // namespace tilestep::model
