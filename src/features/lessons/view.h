// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "features/lessons/lesson_player.h"
#include "model/view.h"

namespace tilestep::model {

/// A lesson included with the program.
struct LessonEntry {
  std::string file, title;
  bool operator==(const LessonEntry&) const = default;
};

struct LessonsView : View {
  static constexpr std::string_view kFeature = "lessons";
  std::optional<LessonView> lesson;  ///< The open lesson.
  std::vector<LessonEntry> lessons;  ///< The lessons that can be opened.
};

}  // namespace tilestep::model
