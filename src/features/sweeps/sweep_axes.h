// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <variant>

#include "compile/front_matter/plan_attempt.h"
#include "features/names.h"
#include "features/sweeps/sweep_plan.h"

/// The values on the axes of a sweep's plot.
namespace tilestep::features {

/// Makes the plans of one kernel, one after another.
class Plans {
 public:
  Plans(const compile::KernelSpec& spec, const Limits& limits)
      : limits_(limits), planner_(spec, limits_) {}
  Plans(const Plans&) = delete;
  Plans& operator=(const Plans&) = delete;

  /// The plan, or the reason why there is none.
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

/// The values of a tunable: all if they are few; otherwise doublings, the chosen one, and those
/// that were recorded with several values of the other tunables.
[[nodiscard]] SweepAxis tunableAxis(const SweepInputs& in, const SweepKernel& kernel,
                                    const compile::TunableSpec& spec);
/// Equal sizes: the recorded ones, or doublings and the measured one.
[[nodiscard]] SweepAxis sizeAxis(const SweepInputs& in, const compile::KernelSpec& spec);

/// Sizes, at most `sizes`, that the interpreter counts in well under a second.
[[nodiscard]] compile::Bindings smallSizesOf(const compile::Bindings& sizes);

/// The reason why a value beyond the axis's `last` would not run: the launch's own reason if there
/// is one; empty if it would run, or if that is unknown.
[[nodiscard]] std::string beyondAxis(const SweepInputs& in, const SweepKernel& kernel,
                                     const compile::TunableSpec& spec,
                                     const compile::Bindings& sizes, int64_t last);

/// True if the open recording has points with the kernel's tunables, or if there is no recording.
[[nodiscard]] bool isRecorded(const SweepInputs& in, const SweepKernel& kernel);

}  // namespace tilestep::features
