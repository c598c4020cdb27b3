// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/lessons/filled_step.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether an answer is this number, to six digits.
[[nodiscard]] bool isAnswer(double given, double number);

/// The reply to a wrong answer: the sentence about it, if it was foreseen;
/// otherwise, of a number, in which direction and about how far it is off. Empty: nothing can be
/// said. It never tells the right answer.
[[nodiscard]] std::string diagnosisOf(double given, double right, const FilledStep& step);

}  // namespace tilestep::features
