// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/experiment.h"
#include "metrics/limits.h"

namespace tilestep::model {

/// The work of a counted launch, for metrics::limitsOf. The result must have counters. Lines per
/// request and mergeable wavefronts per wavefront are taken from the traced block and scaled to the
/// grid. Without a complete trace, lines are unknown and no wavefronts are merged.
[[nodiscard]] metrics::CountedWork countedWorkOf(const lab::RunResult& result);

/// Whether the traced block copies asynchronously.
[[nodiscard]] bool hasCopies(const trace::BlockTrace& recording);

}  // namespace tilestep::model
