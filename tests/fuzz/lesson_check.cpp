// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <memory>

#include "features/lessons/diagnosis.h"
#include "features/lessons/lesson.h"
#include "features/lessons/lesson_figures.h"
#include "features/lessons/lesson_player.h"
#include "fuzz/checks.h"

namespace tilestep::fuzz {
namespace {

/// Answers that a person may type.
constexpr std::array kAnswers = {0.0, 1.0, -1.0, 2.0, 1e12, -1e300, 0.1};

std::string checkStep(const features::Lesson& lesson, size_t index,
                      features::LessonFigures& figures, features::LessonPlayer& player) {
  const features::LessonStep& step = lesson.steps[index];
  const std::shared_ptr<const features::FilledStep> filled = figures.filled(index);
  if (!filled) return "a step that is not filled in";
  if (filled->text.size() != step.text.size()) return "a paragraph is missing";
  if (step.title.empty() || step.slug.empty()) return "a step without a title";
  player.goTo(index);
  if (player.view().index != index) return "a step that is not reached";
  if (!step.ask) return {};
  if (filled->choices.size() != step.ask->choices.size()) return "a choice is missing";
  (void)figures.answerTo(*step.ask);
  for (const double answer : kAnswers) {
    player.answer(answer, *filled);
    (void)features::diagnosisOf(answer, 3, *filled);
  }
  player.hint();
  player.reveal(filled->right);
  return player.view().revealed ? "" : "an answer that stays hidden";
}

}  // namespace

std::string checkLesson(std::string_view text) {
  constexpr size_t kMostSteps = 200;
  auto read = features::parseLesson(text, "lesson.md");
  if (!read) return checkRefusal(read.error(), text);
  const auto lesson = std::make_shared<const features::Lesson>(std::move(*read));
  if (lesson->steps.empty() || lesson->steps.size() > kMostSteps) return "no steps, or too many";
  features::LessonFigures figures;
  const auto noKernel = [](const std::string&) -> Result<compile::KernelSource> {
    return requestError("no kernel");
  };
  figures.open(lesson, "", noKernel);
  while (figures.wanted() != nullptr) figures.acceptError("nothing is run");
  features::LessonPlayer player;
  player.open(lesson);
  for (size_t i = 0; i < lesson->steps.size(); ++i) {
    if (std::string trouble = checkStep(*lesson, i, figures, player); !trouble.empty())
      return trouble;
  }
  return {};
}

}  // namespace tilestep::fuzz
