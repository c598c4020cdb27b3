// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "features/names.h"
#include "lab/experiment.h"
#include "model/choice/resolved.h"

namespace tilestep::features {

/// The run that a prediction for the chosen launch is made from: counted whole, with block
/// (0, 0, 0) traced, on the interpreter. Nothing where no launch of a program is chosen, or where a
/// GPU that is here can measure it.
[[nodiscard]] std::optional<lab::Experiment> predictedExperiment(const Resolved& resolved);

}  // namespace tilestep::features
