// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "features/lessons/lesson_player.h"
#include "features/lessons/view.h"
#include "features/names.h"
#include "model/files/saved.h"

namespace tilestep::features {

/// The user's progress in each lesson. Lessons are identified by their files' names without folder
/// and extension, so that progress survives a change of the installation folder. The progress in a
/// missing lesson is kept; steps that a lesson no longer has are ignored.
class ProgressOfLessons {
 public:
  using All = std::map<std::string, LessonProgress>;

  void take(All all) { all_ = std::move(all); }
  [[nodiscard]] const All& all() const { return all_; }

  /// A lesson that was left at its end begins anew.
  void begin(const std::string& file, const Lesson& lesson);
  /// The step, from 0, at which a lesson resumes.
  [[nodiscard]] size_t stepOf(const std::string& file, const Lesson& lesson) const;
  /// The answers so far.
  [[nodiscard]] Answered answersOf(const std::string& file, const Lesson& lesson) const;
  /// Stores the open lesson's step and answers. At the end of its last step it is finished.
  void note(const std::string& file, const LessonPlayer& player);
  /// Forgets step and answers, but not that the lesson was finished once.
  void startOver(const std::string& file);
  /// Fills in `at` and `finished`.
  void describe(LessonEntry& entry) const;

 private:
  [[nodiscard]] const LessonProgress* find(const std::string& file) const;
  [[nodiscard]] bool isAtEnd(const std::string& file, size_t steps) const;

  All all_;
};

}  // namespace tilestep::features
