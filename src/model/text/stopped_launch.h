// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

/// A launch that a fault stopped has counts only up to the fault. They must not be mistaken for
/// those of the whole grid.
namespace tilestep::model {

struct TracedStep;  // model/scene/traced_kernel.h

/// The result without counts if a fault stopped its launch; otherwise the result itself.
[[nodiscard]] lab::ResultPointer withoutCountsIfStopped(lab::ResultPointer result);

/// "its launch was stopped at line 81"; empty if the launch completed or `result` is null.
[[nodiscard]] std::string whereStopped(const lab::RunResult* result);

/// "No counts of the whole grid of tiled: its launch was stopped at line 81. An access lies outside
/// its array."; empty if the launch completed or `result` is null.
[[nodiscard]] std::string whyNotCounted(const lab::RunResult* result);

/// "This step comes after the fault at line 81: its values are meaningless." Empty if the step
/// comes before the fault, or if no fault of the traced block ends the launch. The interpreter
/// continues after a fault, to find others.
[[nodiscard]] std::string afterFault(const TracedStep& step);

}  // namespace tilestep::model
