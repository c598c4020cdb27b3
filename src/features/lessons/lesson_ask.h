// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "features/lessons/lesson_text.h"
#include "features/names.h"
#include "model/shown.h"

namespace tilestep::features {

/// A foreseen wrong answer, and the reply to it.
struct Misconception {
  LessonFigure answer;  ///< The wrong number, or the index of a wrong choice, counted from 1.
  LessonText because;
};

/// A question that must be answered before the step continues.
struct Ask {
  LessonText question;
  std::vector<LessonText> choices;  ///< Empty if the answer is a number.
  /// The number, or the index of the right choice, counted from 1.
  LessonFigure answer;
  std::vector<Misconception> wrong;
  std::optional<LessonText> hint;
  std::vector<Covered> open;  ///< Parts that stay visible while the question is open.
  /// Parts of the kernel's source that are covered during the question, as they reveal the answer.
  std::vector<std::string> hide;
  int hideLine = 0;  ///< The line of `hide` in the lesson's file.
};

}  // namespace tilestep::features
