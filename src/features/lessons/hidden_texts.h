// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "features/lessons/lesson.h"
#include "features/lessons/lesson_figures.h"
#include "features/names.h"

namespace tilestep::features {

/// Checks that each step's kernel contains the texts that its question covers, because a missing
/// text would leave the answer uncovered. The error reports the line of `file`. Ignores a missing
/// kernel, which the scene reports.
Status checkHiddenTexts(const Lesson& lesson, const std::string& file,
                        const LessonFigures::FindKernel& find);

}  // namespace tilestep::features
