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

/// A camera in the scene, in pixels at the scale at which it was moved.
struct SavedCamera {
  float zoom = 1, x = 0, y = 0;
  bool operator==(const SavedCamera&) const = default;
};

struct LessonProgress {
  size_t step = 0;        ///< The last step visited, from 0.
  bool finished = false;  ///< The lesson's last step has been reached at least once.
  /// Keys are the names of the questions' steps. True if the question was answered correctly, false
  /// if its answer was shown.
  std::map<std::string, bool> answers;
  bool operator==(const LessonProgress&) const = default;
};

/// The position in the form in which it is saved: steps of a thread become single events.
[[nodiscard]] ScenePosition keptPosition(ScenePosition position);

/// The state before a lesson was opened, which closing the lesson restores. It includes only the
/// switches of the appearance.
struct BeforeLesson {
  Choice choice;
  std::string kernelFile, comparisonFile;  ///< As in Saved.
  ScenePosition scene;
  bool table = false;
  bool operator==(const BeforeLesson&) const = default;
};

struct Place {
  ScenePosition scene;                 ///< As keptPosition() returns it.
  double speed = 1;                    ///< Steps per second.
  std::string lesson;                  ///< The lesson's file; empty if none is open.
  size_t lessonStep = 0;               ///< From 0.
  std::optional<BeforeLesson> before;  ///< The state before the open lesson.
  bool table = false;                  ///< The table of execution phases is shown.
  /// Keys are the names of the lessons that come with Tilestep: "1-why-tile".
  std::map<std::string, LessonProgress> lessons;
  /// The user's predictions, by lab id. A prediction is a number, or the index of a choice, counted
  /// from 1.
  std::map<std::string, double> predictions;
  std::string exercise;  ///< The id of the open exercise; empty if none is open.
  /// The exercises that were begun, by id; true if passed.
  std::map<std::string, bool> exercises;
  bool operator==(const Place&) const = default;
};

/// The state that is restored when the window is opened the next time.
struct Saved {
  static constexpr int kVersion = 1;

  Choice choice;
  /// The paths of kernels that were chosen by path; otherwise empty.
  std::string kernelFile, comparisonFile;
  Place place;
  bool presenting = false;
  int width = 0, height = 0;  ///< Size of the window, screen coordinates; 0 if unknown.
  /// Absent unless the user moved the camera.
  std::optional<SavedCamera> deskCamera, presentationCamera;
  bool operator==(const Saved&) const = default;
};

/// Formats the state as TOML; parseSaved reads an equal value back.
[[nodiscard]] std::string toToml(const Saved& saved);

/// Parses untrusted text. Unknown keys, wrong types and out-of-range values are errors with file,
/// line and reason. Properties that depend on a kernel (whether its tunables and sizes are legal)
/// are checked when it is planned.
Result<Saved> parseSaved(std::string_view text, const std::string& file);

}  // namespace tilestep::model
