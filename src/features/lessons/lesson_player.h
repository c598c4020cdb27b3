// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "features/lessons/filled_step.h"
#include "features/lessons/lesson.h"

namespace tilestep::model {

/// The lesson that is open and where it stands. Never changes once published.
struct LessonView {
  std::shared_ptr<const Lesson> lesson;
  size_t index = 0;
  bool revealed = true;  ///< False while a question waits for its answer.
  std::string verdict;   ///< Of the latest answer; empty before the first.
  bool right = false;
  std::shared_ptr<const FilledStep> shown;  ///< Its texts; never null in a snapshot.
  [[nodiscard]] const LessonStep& step() const { return lesson->steps[index]; }
};

/// Goes through a lesson's steps and judges answers. Values only; one thread.
class LessonPlayer {
 public:
  void open(std::shared_ptr<const Lesson> lesson);
  void close() { view_ = {}; }
  [[nodiscard]] bool isOpen() const { return view_.lesson != nullptr; }
  [[nodiscard]] const LessonView& view() const { return view_; }

  /// To another step, not beyond the ends. True when it moved.
  bool goTo(size_t index);
  /// A number, of choices the chosen one's from 1. A right answer reveals the rest of the step; a
  /// wrong one says so, and the third reveals it too. While the right one is not known none is
  /// judged.
  void answer(double value, const RightAnswer& right);
  void reveal(const RightAnswer& right);
  /// More has come: an answer that was revealed before it was known is told.
  void learn(const RightAnswer& right);

 private:
  LessonView view_;
  unsigned wrong_ = 0;
  bool untold_ = false;  ///< Revealed, but not known yet.
};

}  // namespace tilestep::model
