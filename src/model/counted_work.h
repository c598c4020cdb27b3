// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// The work of a counted launch, for metrics::limitsOf. The result must have counters. Lines and
/// mergeable wavefronts are those of the traced block per request or wavefront, scaled to the grid;
/// without a complete trace, lines are unknown and nothing is merged.
[[nodiscard]] metrics::CountedWork countedWorkOf(const lab::RunResult& result);

/// Whether the traced block copies asynchronously.
[[nodiscard]] bool hasCopies(const trace::BlockTrace& recording);

}  // namespace tilestep::model
