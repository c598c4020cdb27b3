// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/lessons/lesson_player.h"
#include "features/names.h"
#include "model/view.h"

namespace tilestep::features {

/// A lesson that comes with the program, and the user's progress in it.
struct LessonEntry {
  std::string file, title;
  size_t steps = 0;          ///< 0 if the file is damaged.
  int minutes = 0;           ///< Duration; 0 if the file is damaged.
  std::optional<size_t> at;  ///< Where it resumes, counted from 0; absent at the start.
  bool finished = false;     ///< The user has finished it at least once.
  bool operator==(const LessonEntry&) const = default;
};

struct LessonsView : View {
  static constexpr std::string_view kFeature = "lessons";
  std::optional<LessonView> lesson;  ///< The open lesson.
  std::string file;                  ///< The open lesson's file.
  std::vector<LessonEntry> lessons;  ///< The lessons that can be opened.
  std::optional<LessonEntry> next;   ///< The lesson after the open one.
  /// Whether closing the lesson restores the state before it; false if that state is unknown.
  bool givesBack = false;

  void addTo(Shown& to) const override;
};

}  // namespace tilestep::features
