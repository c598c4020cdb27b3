// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/exercises/element_story.h"
#include "features/names.h"
#include "lab/judge/judgement.h"
#include "model/files/exercise_file.h"
#include "model/view.h"

namespace tilestep::features {

enum class ExerciseState : uint8_t { untouched, begun, passed };

/// The judgement of the user's file at the hidden launches.
struct AttemptView {
  enum class State : uint8_t {
    none,     ///< There is no user file, or the listing is shown.
    running,  ///< Launch `done` of `all` is next.
    cancelled,
    passed,
    failed,    ///< `text` gives the reason.
    unjudged,  ///< The file could not be judged; `text` gives the reason.
  };
  State state = State::none;
  size_t done = 0, all = 0;
  std::string text;
  int line = 0;  ///< The line of the first failure in the file; 0 if unknown.
};

/// The exercises, the open exercise, and what is known about its kernel.
struct ExercisesView : View {
  static constexpr std::string_view kFeature = "exercises";
  std::shared_ptr<const std::vector<Exercise>> exercises;  ///< Null before the first view.
  std::vector<ExerciseState> states;                       ///< Indexed by exercise.
  std::optional<size_t> open;
  size_t hints = 0;     ///< Number of hints that are shown.
  bool listing = true;  ///< The listing is shown instead of the user's file.
  AttemptView attempt;
  // All following members are empty while the stage is hidden.
  std::string file;      ///< The user's file; empty before it is created.
  bool isShown = false;  ///< The scene shows the open exercise's kernel.
  /// An error of the shown launch: a sentence and its line.
  struct Problem {
    std::string text;
    uint32_t line = 0;
  };
  std::vector<Problem> problems;
  std::string launch;                         ///< "n = 20, BLOCK = 8, block (0, 0)"
  std::shared_ptr<const OutputCells> cells;   ///< Null if there are no cells to show.
  std::shared_ptr<const ElementStory> story;  ///< Null if no element is chosen.

  [[nodiscard]] const Exercise* openExercise() const {
    return open ? &(*exercises)[*open] : nullptr;
  }
  [[nodiscard]] size_t passed() const;
  void addTo(Shown& to) const override { to.exercise = open.has_value(); }
};

/// An element's value in a form short enough for a cell: "0.5", "-3.25".
[[nodiscard]] std::string valueText(double value);
/// "thread (3, 0)"
[[nodiscard]] std::string threadText(const TracedKernel& kernel, uint32_t thread);

}  // namespace tilestep::features
