// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "features/names.h"
#include "lab/experiment.h"
#include "model/choice/resolved.h"

namespace tilestep::features {

/// The run from which the chosen launch is predicted: counted completely, with block (0, 0, 0)
/// traced, on the interpreter. Absent if no launch of a program is chosen, or if a GPU that is
/// present can measure it.
[[nodiscard]] std::optional<lab::Experiment> predictedExperiment(const Resolved& resolved);

}  // namespace tilestep::features
