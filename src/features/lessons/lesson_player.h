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
  bool revealed = true;  ///< False while a question is waiting for its answer.
  std::string verdict;   ///< The verdict on the latest answer; empty before the first.
  bool right = false;
  bool hinted = false;                      ///< The question's hint is shown.
  bool answered = false;                    ///< An answer was judged since the step was entered.
  std::shared_ptr<const FilledStep> shown;  ///< The step's texts; never null in a snapshot.
  [[nodiscard]] const LessonStep& step() const { return lesson->steps[index]; }
  [[nodiscard]] bool isLast() const { return index + 1 == lesson->steps.size(); }
  /// Whether the open question covers this part of the window.
  [[nodiscard]] bool covers(Covered area) const;
  /// The texts in the kernel's source that the open question covers.
  [[nodiscard]] const std::vector<std::string>& hidden() const;
};

/// The text for a revealed answer: "Answer: 32", or the reason why it is unknown.
[[nodiscard]] std::string answerText(const RightAnswer& right);

/// The outcome of a lesson's questions by step, from 0: true if answered correctly; false if the
/// answer was shown.
using Answered = std::map<size_t, bool>;

/// Steps through a lesson and judges answers. Values only; for one thread.
class LessonPlayer {
 public:
  void open(std::shared_ptr<const Lesson> lesson, Answered answered = {});
  void close() { *this = {}; }
  [[nodiscard]] bool isOpen() const { return view_.lesson != nullptr; }
  [[nodiscard]] const LessonView& view() const { return view_; }
  [[nodiscard]] const Answered& answered() const { return answered_; }

  /// Goes to another step, clamped to the ends. An answered question stays answered. True if it
  /// moved.
  bool goTo(size_t index);
  /// `value`: a number, or the index of the chosen answer, counted from 1. A right answer reveals
  /// the rest of the step; a wrong one is diagnosed, the second wrong one shows the hint, and the
  /// third one reveals the answer. No answer is judged while the right one is unknown.
  void answer(double value, const FilledStep& step);
  void hint();
  void reveal(const RightAnswer& right);
  /// Called when new values have arrived: shows an answer that was revealed before it was known.
  void learn(const RightAnswer& right);

 private:
  LessonView view_;
  Answered answered_;
  unsigned wrong_ = 0;
  double lastAnswer_ = 0;  ///< For use while the view is visible.
  bool untold_ = false;    ///< Revealed, but not known yet.
};

}  // namespace tilestep::features
