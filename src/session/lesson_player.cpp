// SPDX-License-Identifier: Apache-2.0
#include "session/lesson_player.h"

#include <cmath>
#include <cstdio>
#include <utility>

namespace tilestep::session {
namespace {

constexpr unsigned kTries = 3;

std::string answerText(const Ask& ask) {
  if (!ask.choices.empty()) return "Answer: " + ask.choices[static_cast<size_t>(ask.answer)];
  char text[48];
  std::snprintf(text, sizeof text, "Answer: %.10g", ask.answer);
  return text;
}

}  // namespace

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
  return true;
}

void LessonPlayer::answer(double value) {
  if (!isOpen() || view_.revealed) return;
  const Ask& ask = *view_.step().ask;
  view_.right = std::fabs(value - ask.answer) <= 1e-6 * std::fabs(ask.answer);
  view_.revealed = view_.right || ++wrong_ >= kTries;
  view_.verdict = view_.right      ? "Right."
                  : view_.revealed ? answerText(ask)
                                   : "Not quite: try again.";
}

void LessonPlayer::reveal() {
  if (!isOpen() || view_.revealed) return;
  view_.revealed = true;
  view_.verdict = answerText(*view_.step().ask);
}

}  // namespace tilestep::session
