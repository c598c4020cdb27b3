// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "model/files/lab_file.h"

namespace tilestep::features {

/// Whether a person may give this as the prediction: one of the choices, or a number
/// of at most kLargestPrediction.
[[nodiscard]] bool isPossible(const Prediction& prediction, double given);

/// Sets the prediction beside the answer and its reason. `given` is possible.
[[nodiscard]] std::string comparisonOf(const Prediction& prediction, double given);

}  // namespace tilestep::features
