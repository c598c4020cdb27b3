// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "features/names.h"
#include "features/sweeps/sweep_plan.h"

/// The values on the axes of a sweep's plot.
namespace tilestep::features {

/// All values of a tunable if they are few; otherwise doublings, the chosen value, and values that
/// were recorded with several values of the other tunables.
[[nodiscard]] SweepAxis tunableAxis(const SweepInputs& in, const SweepKernel& kernel,
                                    const compile::TunableSpec& spec);
/// Equal sizes: the recorded sizes; without a recording, doublings and the measured size.
[[nodiscard]] SweepAxis sizeAxis(const SweepInputs& in, const compile::KernelSpec& spec);

/// `sizes`, reduced so that the interpreter counts them in well under a second.
[[nodiscard]] compile::Bindings smallSizesOf(const compile::Bindings& sizes);

/// The reason why the tunable's value after `last` cannot run; empty if it can, or if that is
/// unknown.
[[nodiscard]] std::string beyondAxis(const SweepInputs& in, const SweepKernel& kernel,
                                     const compile::TunableSpec& spec,
                                     const compile::Bindings& sizes, int64_t last);

/// Whether the open recording has points with the kernel's tunables; true without a recording.
[[nodiscard]] bool isRecorded(const SweepInputs& in, const SweepKernel& kernel);

}  // namespace tilestep::features
