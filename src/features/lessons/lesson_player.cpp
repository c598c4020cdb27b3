// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_player.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "features/lessons/diagnosis.h"

namespace tilestep::features {
namespace {

constexpr unsigned kHintAfter = 2, kTries = 3;
constexpr const char* kRight = "Right.";

}  // namespace

bool LessonView::covers(Covered area) const {
  return !revealed && std::ranges::find(step().ask->open, area) == step().ask->open.end();
}

const std::vector<std::string>& LessonView::hidden() const {
  static const std::vector<std::string> kNone;
  return revealed ? kNone : step().ask->hide;
}

std::string answerText(const RightAnswer& right) {
  if (!right.value) return "The answer cannot be computed: " + right.value.error().message + ".";
  return *right.value ? "Answer: " + right.text : "The answer is being computed …";
}

void LessonPlayer::open(std::shared_ptr<const Lesson> lesson, Answered answered) {
  view_ = {};
  view_.lesson = std::move(lesson);
  answered_ = std::move(answered);
  goTo(0);
}

bool LessonPlayer::goTo(size_t index) {
  if (!isOpen() || index >= view_.lesson->steps.size()) return false;
  view_ = {.lesson = view_.lesson, .index = index};
  wrong_ = 0;
  untold_ = false;
  if (!view_.step().ask) return true;
  const auto answered = answered_.find(index);
  view_.revealed = answered != answered_.end();
  view_.right = view_.revealed && answered->second;
  if (view_.right) view_.verdict = kRight;
  untold_ = view_.revealed && !view_.right;
  return true;
}

void LessonPlayer::answer(double value, const FilledStep& step) {
  if (!isOpen() || view_.revealed) return;
  const RightAnswer& right = step.right;
  if (!right.value) return reveal(right);
  if (!*right.value) {
    view_.verdict = "The answer is still being computed. Try again in a moment.";
    return;
  }
  const bool isSame = view_.answered && value == lastAnswer_;
  lastAnswer_ = value;
  view_.answered = true;
  view_.right = isAnswer(value, **right.value);
  // The same answer again is not another attempt.
  if (!view_.right && !isSame) ++wrong_;
  view_.revealed = view_.right || wrong_ >= kTries;
  if (view_.revealed) answered_[view_.index] = view_.right;
  if (wrong_ >= kHintAfter) hint();
  if (view_.right) {
    view_.verdict = kRight;
    return;
  }
  const std::string diagnosis = diagnosisOf(value, **right.value, step);
  view_.verdict = diagnosis.empty() ? "Not quite. Try again." : "Not quite. " + diagnosis;
  if (!view_.revealed) return;
  view_.verdict = (diagnosis.empty() ? "" : view_.verdict + " ") + answerText(right);
}

void LessonPlayer::hint() {
  if (isOpen() && view_.step().ask && view_.step().ask->hint) view_.hinted = true;
}

void LessonPlayer::reveal(const RightAnswer& right) {
  if (!isOpen() || view_.revealed) return;
  view_.revealed = true;
  answered_[view_.index] = false;
  untold_ = true;
  learn(right);
}

void LessonPlayer::learn(const RightAnswer& right) {
  if (!isOpen() || !untold_) return;
  view_.verdict = answerText(right);
  untold_ = right.value && !*right.value;
}

}  // namespace tilestep::features
