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
#include "features/sweeps/sweep_choice.h"
#include "model/choice.h"
#include "trace/replay.h"

namespace tilestep::model {

/// What a lesson's step wants to be seen. What it does not name stays as it is.
struct SceneRequest {
  std::string kernel;
  compile::Bindings tunables;
  bool othersByDefault = false;  ///< All other kernels take their default tunables.
  compile::Bindings sizes;       ///< Of the scene; empty: it follows the tile.
  Dim3 block{0, 0, 0};
  trace::StepGranularity grain = trace::StepGranularity::epoch;
  size_t step = 0;              ///< At that grain, from 0; one too many means the last.
  std::optional<Dim3> thread;   ///< To be followed; nothing: none is.
  uint32_t withoutBarrier = 0;  ///< Which is taken away, from 1; 0: none.
  bool ofThread = false;        ///< Steps are that thread's events.
  std::string beside =
      Comparison::kUsual;            ///< What stands beside the kernel, as Comparison::kernel.
  compile::Bindings besideTunables;  ///< Its own; the others follow.
  std::optional<Dim3> besideBlock;
  /// kMeasured: a GPU that is here, else a recording; kInterpreter; empty: as it is.
  std::string device;
  int64_t measured = 0;  ///< m, n and k of what is measured; 0: as it is.
  /// A known device whose roofs and limits are shown; kOwnRoof: the device's own; empty: as it is.
  std::string roof;
  static constexpr const char* kMeasured = "measured";
  static constexpr const char* kInterpreter = "interpreter";
  static constexpr const char* kOwnRoof = "own";
};

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
