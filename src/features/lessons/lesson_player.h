// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "features/lessons/filled_step.h"
#include "features/lessons/lesson.h"
#include "features/names.h"

namespace tilestep::features {

/// The open lesson and the present step. Immutable once published.
struct LessonView {
  std::shared_ptr<const Lesson> lesson;
  size_t index = 0;
  bool revealed = true;  ///< False while a question waits for its answer.
  std::string verdict;   ///< The verdict on the latest answer; empty before the first answer.
  bool right = false;
  bool hinted = false;    ///< The question's hint is shown.
  bool answered = false;  ///< An answer has been judged since the user entered the step.
  std::shared_ptr<const FilledStep> shown;  ///< The step's texts; never null in a snapshot.
  [[nodiscard]] const LessonStep& step() const { return lesson->steps[index]; }
  [[nodiscard]] bool isLast() const { return index + 1 == lesson->steps.size(); }
  /// Whether the open question covers this part of the window.
  [[nodiscard]] bool covers(Covered area) const;
  /// The texts in the kernel's source that the open question covers.
  [[nodiscard]] const std::vector<std::string>& hidden() const;
};

/// "Answer: 32", or a sentence that says why the answer is unknown.
[[nodiscard]] std::string answerText(const RightAnswer& right);

/// The outcomes of a lesson's questions, by step, counted from 0. True if the user answered
/// correctly, false if the answer was revealed.
using Answered = std::map<size_t, bool>;

/// Steps through a lesson and judges answers. Independent of the model; for one thread.
class LessonPlayer {
 public:
  void open(std::shared_ptr<const Lesson> lesson, Answered answered = {});
  void close() { *this = {}; }
  [[nodiscard]] bool isOpen() const { return view_.lesson != nullptr; }
  [[nodiscard]] const LessonView& view() const { return view_; }
  [[nodiscard]] const Answered& answered() const { return answered_; }

  /// Goes to another step, clamped to the ends. Returns true if the step changed.
  bool goTo(size_t index);
  /// `value` is a number, or the index of the chosen answer, counted from 1. A right answer reveals
  /// the rest of the step. A wrong answer is diagnosed; the second wrong answer shows the hint, and
  /// the third reveals the right answer. Judges no answer while the right answer is unknown.
  void answer(double value, const FilledStep& step);
  void hint();
  void reveal(const RightAnswer& right);
  /// Call when new values have arrived. Shows a right answer that was unknown when it was revealed.
  void learn(const RightAnswer& right);

 private:
  LessonView view_;
  Answered answered_;
  unsigned wrong_ = 0;
  double lastAnswer_ = 0;  ///< Valid while view_.answered.
  bool untold_ = false;    ///< The right answer was revealed while it was unknown.
};

}  // namespace tilestep::features
