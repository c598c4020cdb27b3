// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilestep::model {

/// A part of the window that shows counts, measurements or results. It is covered while a question
/// is open, because it may give the answer away. Settings, the kernel's text and the scene's
/// picture with its indices and values stay visible.
enum class Covered : uint8_t {
  sentence,  ///< The sentence above the scene.
  labels,    ///< The scene's labels that contain counts, and the text of the hovered cell.
  controls,  ///< The kernel and its launch, as the controls show them.
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

/// What the features show, as far as other parts of the window depend on it.
struct Shown {
  bool lesson = false;  ///< A lesson is open.
  std::string lessonTitle;
  /// "01-what-four-threads-read": the index and name of the lesson's step, for a file name.
  std::string lessonStepName;
  std::bitset<kCoverable> covered;          ///< The areas that the open question covers.
  std::vector<std::string> hiddenTexts;     ///< Parts of the source that the open question covers.
  bool asks = false;                        ///< A question or prediction has not been answered yet.
  bool predicting = false;                  ///< A lab waits for its prediction.
  bool hasLessons = false;                  ///< There are lessons or labs to open.
  bool firstMinute = false;                 ///< The tour of the first minute is shown.
  bool exercise = false;                    ///< An exercise is open.
  bool phaseTable = false;                  ///< The table of phases is shown instead of the scene.
  bool sumLadder = false;                   ///< The sums are compared with each other.
  bool sweepLadder = false;                 ///< The sweep compares the ladder's rungs.
  bool companion = false;                   ///< A kernel is compared with the main one.
  bool program = false;                     ///< A whole program is open.
  bool onlyHints = false;                   ///< Programs show hints instead of offering changes.
  std::vector<std::string> recentPrograms;  ///< The newest first.
  std::string plottedTunable;               ///< The tunable on the x-axis of the plot of speeds.

  [[nodiscard]] bool covers(Covered area) const { return covered[static_cast<size_t>(area)]; }
};

}  // namespace tilestep::model
