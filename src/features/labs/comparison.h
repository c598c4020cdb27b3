// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/names.h"
#include "model/files/lab_file.h"

namespace tilestep::features {

/// Whether the user may enter this prediction: a choice, or a number of at most kLargestPrediction.
[[nodiscard]] bool isPossible(const Prediction& prediction, double given);

/// Compares the prediction, which must be possible, with the answer and gives the reason.
[[nodiscard]] std::string comparisonOf(const Prediction& prediction, double given);

}  // namespace tilestep::features
