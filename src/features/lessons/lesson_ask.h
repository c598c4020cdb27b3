// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/lessons/lesson_text.h"
#include "features/names.h"

namespace tilestep::features {

/// A part of the window that shows counted, measured or computed data. While a question is open
/// these parts are covered, because they may reveal the answer. Settings, the kernel's text and the
/// scene's picture with its indices and values stay visible.
enum class Covered : uint8_t {
  sentence,  ///< The sentence above the scene.
  labels,    ///< The scene's labels that count, and the hover text of its cells.
  controls,  ///< The kernel and its launch, as in the controls.
  source,    ///< The counts and remarks beside the source's lines.
  step,      ///< The panel beside the source: threads, a warp, a thread, PTX.
  stage,     ///< A plot or table in the middle of the window.
  measures   ///< The plots and tables on the right.
};
inline constexpr size_t kCoverable = 7;
[[nodiscard]] constexpr std::string_view nameOf(Covered area) {
  constexpr std::array<std::string_view, kCoverable> kNames{
      "sentence", "labels", "controls", "source", "step", "stage", "measures"};
  return kNames[static_cast<size_t>(area)];
}

/// A foreseen wrong answer, and the reply to it.
struct Misconception {
  LessonFigure answer;  ///< The wrong number, or the index of a wrong choice, counted from 1.
  LessonText because;
};

/// A question that must be answered before the step continues.
struct Ask {
  LessonText question;
  std::vector<LessonText> choices;  ///< Empty: the answer is a number.
  /// The number, or the index of the right choice, counted from 1.
  LessonFigure answer;
  std::vector<Misconception> wrong;
  std::optional<LessonText> hint;
  std::vector<Covered> open;  ///< Parts that stay uncovered while the question is open.
  /// Texts in the kernel's source that are covered while the question is open, because they reveal
  /// the answer.
  std::vector<std::string> hide;
  int hideLine = 0;  ///< The line of the lesson's file that lists them.
};

}  // namespace tilestep::features
