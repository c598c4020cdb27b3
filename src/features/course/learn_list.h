// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "features/course/course.h"
#include "features/exercises/view.h"
#include "features/labs/view.h"
#include "features/lessons/view.h"
#include "features/names.h"

/// Lessons, labs and exercises as one list, in the order of the course's plan. Pure.
namespace tilestep::features {

struct LearnEntry {
  CourseLink::Kind kind = CourseLink::Kind::lesson;
  std::string name;      ///< Same format as CourseLink::name.
  std::string number;    ///< "5.1" is the first entry of week 5; empty outside weeks.
  std::string title;     ///< "Why tile"
  std::string minutes;   ///< "25 min"; empty if unknown.
  std::string about{};   ///< The question it answers, in one sentence; may be empty.
  std::string progress;  ///< "step 3 of 8" or "begun"; empty if not begun, or if finished.
  bool done = false;
};

struct LearnGroup {
  std::string title;     ///< "5. Why tile?"
  std::string buildsOn;  ///< "weeks 1 to 3"; empty if the plan does not say.
  std::vector<LearnEntry> entries;
};

/// All lessons, labs and exercises. Each appears in the first week that links to it, otherwise in a
/// last group. A lab contains its lesson, which therefore has no entry. Kernels are listed only for
/// a week that links to nothing else. `course` is null if there is no plan.
[[nodiscard]] std::vector<LearnGroup> learnListOf(const Course* course, const LessonsView& lessons,
                                                  const LabsView& labs,
                                                  const ExercisesView& exercises);

}  // namespace tilestep::features
