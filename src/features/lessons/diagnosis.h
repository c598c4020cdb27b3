// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/lessons/filled_step.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether an answer equals this number to six digits.
[[nodiscard]] bool isAnswer(double given, double number);

/// The reply to a wrong answer: its explanation, if the answer was foreseen; otherwise, for a
/// number, the direction and approximate size of the error. Empty if there is nothing to say. Never
/// reveals the right answer.
[[nodiscard]] std::string diagnosisOf(double given, double right, const FilledStep& step);

}  // namespace tilestep::features
