// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/experiment.h"

/// A launch that a fault ended counts up to there, and nothing may take that for the whole grid.
namespace tilestep::model {

struct TracedStep;  // model/scene/traced_kernel.h

/// The result without counts, if a fault ended its launch; else the result itself.
[[nodiscard]] lab::ResultPointer withoutCountsIfStopped(lab::ResultPointer result);

/// "its launch was stopped at line 81"; empty for a launch that ended, and for null.
[[nodiscard]] std::string whereStopped(const lab::RunResult* result);

/// "No counts of the whole grid of tiled: its launch was stopped at line 81. An access lies outside
/// its array."; empty likewise.
[[nodiscard]] std::string whyNotCounted(const lab::RunResult* result);

/// "This step comes after the fault at line 81: its values mean nothing."; empty where it comes
/// before the fault, or where no fault of the traced block ends the launch. The interpreter goes on
/// after a fault, to find others.
[[nodiscard]] std::string afterFault(const TracedStep& step);

}  // namespace tilestep::model
