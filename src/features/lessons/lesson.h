// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/dim3.h"
#include "base/result.h"
#include "compile/kernel.h"
#include "features/lessons/lesson_ask.h"
#include "features/lessons/lesson_run.h"
#include "features/names.h"
#include "model/choice/scene_request.h"
#include "model/choice/sweep_choice.h"
#include "trace/replay.h"

namespace tilestep::features {

struct LessonStep {
  std::string title;
  std::string slug;  ///< Used in file names: "what-four-threads-read".
  SceneRequest scene;
  /// The panel to show: "threads", "warp", "thread", "ptx" or "source"; may be empty.
  std::string panel;
  std::string stage = "scene";  ///< The view in the middle, by nameOf(Stage).
  std::string program;  ///< A file of assets/programs for the stage "program"; may be empty.
  std::optional<SweepKind> sweep;  ///< The plot on the stage "sweeps"; absent leaves it unchanged.
  bool table = false;      ///< A table replaces the scene, or the array on the stage "sums".
  bool occupancy = false;  ///< Occupancy is the only panel among the measures.
  RoofFocus level = RoofFocus::nearest;  ///< The level that the roofline highlights.
  bool allLevels = false;                ///< The roofline shows every level.
  std::optional<Ask> ask;
  std::vector<LessonText> text;    ///< Paragraphs with **bold** and `code`.
  std::vector<LessonText> answer;  ///< Shown once the question is answered; otherwise empty.
};

/// A lesson. docs/lessons.md describes the file format.
struct Lesson {
  std::string title;
  std::vector<LessonRun> runs;    ///< The runs whose values the figures use.
  std::vector<LessonStep> steps;  ///< At least one.
};

/// The time that its first step states ("**Time:** 15 minutes"); otherwise three minutes per step,
/// rounded up to a multiple of five.
[[nodiscard]] int minutesOf(const Lesson& lesson);

constexpr size_t kMostLessonFigures = 1000;

/// Parses untrusted text of at most 1 MiB with at most 200 steps and kMostLessonFigures figures.
/// Errors report `file`, line, column and reason.
Result<Lesson> parseLesson(std::string_view text, const std::string& file);
Result<Lesson> readLesson(const std::string& file);

}  // namespace tilestep::features
