// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "model/files/lab_file.h"

namespace tilestep::features {

/// Whether the user may enter this prediction: one of the choices, or a number of at most
/// kLargestPrediction.
[[nodiscard]] bool isPossible(const Prediction& prediction, double given);

/// Compares the prediction with the answer and gives the reason. `given` is possible.
[[nodiscard]] std::string comparisonOf(const Prediction& prediction, double given);

}  // namespace tilestep::features
