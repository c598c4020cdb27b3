// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/lesson_player.h"

#include <cmath>
#include <string>
#include <utility>

namespace tilestep::model {
namespace {

constexpr unsigned kTries = 3;

}  // namespace

std::string answerText(const RightAnswer& right) {
  if (!right.value)
    return "The answer cannot be worked out here: " + right.value.error().message + ".";
  return *right.value ? "Answer: " + right.text : "The answer is being worked out …";
}

void LessonPlayer::open(std::shared_ptr<const Lesson> lesson) {
  view_ = {};
  view_.lesson = std::move(lesson);
  goTo(0);
}

bool LessonPlayer::goTo(size_t index) {
  if (!isOpen() || index >= view_.lesson->steps.size()) return false;
  view_.index = index;
  view_.revealed = !view_.step().ask;
  view_.verdict.clear();
  view_.right = false;
  wrong_ = 0;
  untold_ = false;
  return true;
}

void LessonPlayer::answer(double value, const RightAnswer& right) {
  if (!isOpen() || view_.revealed) return;
  if (!right.value) return reveal(right);
  if (!*right.value) {
    view_.verdict = "The answer is being worked out: try again in a moment.";
    return;
  }
  const double wanted = **right.value;
  view_.right = std::fabs(value - wanted) <= 1e-6 * std::fabs(wanted);
  view_.revealed = view_.right || ++wrong_ >= kTries;
  view_.verdict = view_.right      ? "Right."
                  : view_.revealed ? answerText(right)
                                   : "Not quite: try again.";
}

void LessonPlayer::reveal(const RightAnswer& right) {
  if (!isOpen() || view_.revealed) return;
  view_.revealed = true;
  view_.verdict = answerText(right);
  untold_ = right.value && !*right.value;
}

void LessonPlayer::learn(const RightAnswer& right) {
  if (!isOpen() || !untold_) return;
  view_.verdict = answerText(right);
  untold_ = right.value && !*right.value;
}

}  // namespace tilestep::model
