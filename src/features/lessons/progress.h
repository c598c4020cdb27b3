// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "features/lessons/lesson_player.h"
#include "features/lessons/view.h"
#include "features/names.h"
#include "model/files/saved.h"

namespace tilestep::features {

/// The user's progress in each lesson. A lesson is identified by its file's name without folder and
/// extension, so its progress survives a change of the installation folder. Progress in a missing
/// lesson is kept; steps that a lesson no longer has are ignored.
class ProgressOfLessons {
 public:
  using All = std::map<std::string, LessonProgress>;

  void take(All all) { all_ = std::move(all); }
  [[nodiscard]] const All& all() const { return all_; }

  /// Begins or resumes a lesson. A lesson that was left at its end restarts.
  void begin(const std::string& file, const Lesson& lesson);
  /// The step at which a lesson resumes, counted from 0.
  [[nodiscard]] size_t stepOf(const std::string& file, const Lesson& lesson) const;
  [[nodiscard]] Answered answersOf(const std::string& file, const Lesson& lesson) const;
  /// Stores the open lesson's step and answers. The lesson is finished at the end of its last step.
  void note(const std::string& file, const LessonPlayer& player);
  /// Clears step and answers, but not `finished`.
  void startOver(const std::string& file);
  /// Sets `at` and `finished`.
  void describe(LessonEntry& entry) const;

 private:
  [[nodiscard]] const LessonProgress* find(const std::string& file) const;
  [[nodiscard]] bool isAtEnd(const std::string& file, size_t steps) const;

  All all_;
};

}  // namespace tilestep::features
