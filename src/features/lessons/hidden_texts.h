// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/result.h"
#include "features/lessons/lesson.h"
#include "features/lessons/lesson_figures.h"
#include "features/names.h"

namespace tilestep::features {

/// Whether each step's kernel has the texts that its question covers: a text that is not there
/// would leave the answer uncovered. The error names the line of `file`. A kernel that is not there
/// is another error, which the scene tells.
Status checkHiddenTexts(const Lesson& lesson, const std::string& file,
                        const LessonFigures::FindKernel& find);

}  // namespace tilestep::features
