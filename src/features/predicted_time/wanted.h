// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "features/names.h"
#include "lab/experiment.h"
#include "model/choice/resolved.h"

namespace tilestep::features {

/// The interpreter run from which the chosen launch is predicted: all counts, and a trace of block
/// (0, 0, 0). Absent if no launch of a program is chosen, or if a present GPU can measure it.
[[nodiscard]] std::optional<lab::Experiment> predictedExperiment(const Resolved& resolved);

}  // namespace tilestep::features
