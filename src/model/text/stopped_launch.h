// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

/// A launch that a fault ended has counts only up to the fault, which must not be taken for those
/// of the whole grid.
namespace tilestep::model {

struct TracedStep;  // model/scene/traced_kernel.h

/// The result without counts, if a fault ended its launch; otherwise the result itself.
[[nodiscard]] lab::ResultPointer withoutCountsIfStopped(lab::ResultPointer result);

/// "its launch was stopped at line 81"; empty for a launch that completed, and for null.
[[nodiscard]] std::string whereStopped(const lab::RunResult* result);

/// "No counts of the whole grid of tiled: its launch was stopped at line 81. An access lies outside
/// its array."; empty in the same cases.
[[nodiscard]] std::string whyNotCounted(const lab::RunResult* result);

/// "This step comes after the fault at line 81: its values mean nothing."; empty if it comes before
/// the fault, or if no fault of the traced block ends the launch. The interpreter continues after a
/// fault, to find others.
[[nodiscard]] std::string afterFault(const TracedStep& step);

}  // namespace tilestep::model
