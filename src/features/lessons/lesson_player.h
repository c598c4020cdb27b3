// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "features/lessons/filled_step.h"
#include "features/lessons/lesson.h"

namespace tilestep::model {

/// The open lesson and the present step. Immutable once published.
struct LessonView {
  std::shared_ptr<const Lesson> lesson;
  size_t index = 0;
  bool revealed = true;  ///< False while a question is waiting for its answer.
  std::string verdict;   ///< The verdict on the latest answer; empty before the first.
  bool right = false;
  std::shared_ptr<const FilledStep> shown;  ///< The step's texts; never null in a snapshot.
  [[nodiscard]] const LessonStep& step() const { return lesson->steps[index]; }
};

/// What is said when an answer is revealed: "Answer: 32", or why it is not known.
[[nodiscard]] std::string answerText(const RightAnswer& right);

/// Steps through a lesson and judges answers. Values only; for one thread.
class LessonPlayer {
 public:
  void open(std::shared_ptr<const Lesson> lesson);
  void close() { view_ = {}; }
  [[nodiscard]] bool isOpen() const { return view_.lesson != nullptr; }
  [[nodiscard]] const LessonView& view() const { return view_; }

  /// Goes to another step, clamped to the ends. True when it moved.
  bool goTo(size_t index);
  /// `value`: a number, or the index of the chosen answer, counted from 1. A right answer reveals
  /// the rest of the step; a wrong one says so, and the third wrong one reveals it too. No answer
  /// is judged while the right one is unknown.
  void answer(double value, const RightAnswer& right);
  void reveal(const RightAnswer& right);
  /// New values have arrived: shows an answer that was revealed before it was known.
  void learn(const RightAnswer& right);

 private:
  LessonView view_;
  unsigned wrong_ = 0;
  bool untold_ = false;  ///< Revealed, but not known yet.
};

}  // namespace tilestep::model
