// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// What a counted launch did, for metrics::limitsOf. The result has counters. Lines and mergeable
/// wavefronts are those of the traced block per request or wavefront, scaled to the grid; without a
/// whole trace lines are unknown and nothing is merged.
[[nodiscard]] metrics::CountedWork countedWorkOf(const lab::RunResult& result);

/// Whether the traced block copies asynchronously.
[[nodiscard]] bool hasCopies(const trace::Recording& recording);

}  // namespace tilestep::model
