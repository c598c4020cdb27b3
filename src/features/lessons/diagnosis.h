// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/lessons/filled_step.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether an answer equals the number to six digits.
[[nodiscard]] bool isAnswer(double given, double number);

/// The reply to a wrong answer. For a foreseen answer, its explanation; for another number, the
/// direction and approximate size of the error; otherwise empty. Never reveals the right answer.
[[nodiscard]] std::string diagnosisOf(double given, double right, const FilledStep& step);

}  // namespace tilestep::features
