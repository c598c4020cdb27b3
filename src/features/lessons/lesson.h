// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "features/lessons/lesson_run.h"
#include "features/lessons/lesson_text.h"
#include "model/choice/sweep_choice.h"
#include "model/choice/scene_request.h"
#include "trace/replay.h"

namespace tilestep::model {

/// A question that is asked before the step goes on.
struct Ask {
  LessonText question;
  std::vector<LessonText> choices;  ///< Empty: a number is asked for.
  LessonFigure answer;              ///< The number, or that of the right choice, from 1.
};

struct LessonStep {
  std::string title;
  std::string slug;  ///< "what-four-threads-read", for file names.
  SceneRequest scene;
  std::string panel;  ///< "threads", "warp", "thread" or empty: what stands beside the source.
  std::string stage = "scene";     ///< What stands in the middle, by model::nameOf(Stage).
  std::optional<SweepKind> sweep;  ///< Which picture the stage "sweeps" has; nothing: as it is.
  bool table = false;              ///< The table of execution phases stands where the scene does.
  std::optional<Ask> ask;
  std::vector<LessonText> text;    ///< Paragraphs; **bold** and `code` inside.
  std::vector<LessonText> answer;  ///< Shown once the question was answered; else empty.
};

/// A lesson: docs/lessons.md says how its file is written.
struct Lesson {
  std::string title;
  std::vector<LessonRun> runs;    ///< Whose values its figures are.
  std::vector<LessonStep> steps;  ///< At least one.
};

constexpr size_t kMostLessonFigures = 1000;

/// `file` is for errors, which name line, column and reason. Reads text from anywhere: at most 1
/// MiB, 200 steps and kMostLessonFigures figures.
Result<Lesson> parseLesson(std::string_view text, const std::string& file);
Result<Lesson> readLesson(const std::string& file);

}  // namespace tilestep::model
