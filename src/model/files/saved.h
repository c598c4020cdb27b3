// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/choice/choice.h"
#include "model/choice/scene_request.h"

namespace tilestep::model {

/// A camera in the scene, in pixels at the scale it was moved at.
struct SavedCamera {
  float zoom = 1, x = 0, y = 0;
  bool operator==(const SavedCamera&) const = default;
};

/// How far one has come in a lesson.
struct LessonProgress {
  size_t step = 0;        ///< From 0: where one was last.
  bool finished = false;  ///< Its last step was reached, at some time.
  /// How the questions were answered, by the names of their steps: rightly, or the answer was
  /// shown.
  std::map<std::string, bool> answers;
  bool operator==(const LessonProgress&) const = default;
};

/// The position as it is kept: the steps of a thread are events.
[[nodiscard]] ScenePosition keptPosition(ScenePosition position);

/// What was shown before a lesson was opened, which closing the lesson restores. Of the looks, only
/// the switches.
struct BeforeLesson {
  Choice choice;
  std::string kernelFile, comparisonFile;  ///< As in Saved.
  ScenePosition scene;
  bool table = false;
  bool operator==(const BeforeLesson&) const = default;
};

/// Where one was.
struct Place {
  ScenePosition scene;                 ///< As keptPosition() returns it.
  double speed = 1;                    ///< Steps a second.
  std::string lesson;                  ///< Its file; empty: none is open.
  size_t lessonStep = 0;               ///< From 0.
  std::optional<BeforeLesson> before;  ///< Of the open lesson.
  bool table = false;                  ///< The table of execution phases is shown.
  /// By the names of the lessons that come with the program: "1-why-tile".
  std::map<std::string, LessonProgress> lessons;
  /// What was predicted in labs, by their ids: a number, or that of a choice, counted from 1.
  std::map<std::string, double> predictions;
  std::string exercise;  ///< The id of the open one; empty: none is.
  /// The exercises that were begun, by their ids: whether they were passed.
  std::map<std::string, bool> exercises;
  bool operator==(const Place&) const = default;
};

/// What is there again when the window is opened the next time.
struct Saved {
  static constexpr int kVersion = 1;

  Choice choice;
  /// Of kernels that were chosen by their paths; else empty.
  std::string kernelFile, comparisonFile;
  Place place;
  bool presenting = false;
  int width = 0, height = 0;  ///< Of the window, screen coordinates; 0: unknown.
  std::optional<SavedCamera> deskCamera, presentationCamera;  ///< Where moved by hand.
  bool operator==(const Saved&) const = default;
};

/// TOML; parseSaved of it gives an equal value.
[[nodiscard]] std::string toToml(const Saved& saved);

/// Reads text from anywhere. Everything is checked: an unknown key, a wrong type and a value out of
/// its range are errors, with file, line and reason. What only a kernel can judge (whether its
/// tunables and sizes are legal) is judged when it is planned.
Result<Saved> parseSaved(std::string_view text, const std::string& file);

}  // namespace tilestep::model
