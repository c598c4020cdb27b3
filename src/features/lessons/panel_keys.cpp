// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/lessons/panel.h"
#include "features/lessons/view.h"

namespace tilestep::features {

void toggleLesson(model::Session& session) {
  const auto now = session.snapshot();
  if (now->view<LessonsView>().lesson) {
    session.apply(model::command("lessons.close"));
    return;
  }
  const std::vector<LessonEntry>& all = now->view<LessonsView>().lessons;
  const auto open = std::ranges::find(all, false, &LessonEntry::finished);
  if (!all.empty())
    session.apply(model::command("lessons.open", (open != all.end() ? *open : all.front()).file));
}

bool handlePages(const gfx::KeyEvent& event, model::Session& session, UiState& ui) {
  const bool forward = event.key == gfx::Key::pageDown;
  const auto now = session.snapshot();
  if ((!forward && event.key != gfx::Key::pageUp) || !now->shown.lesson || now->shown.predicting)
    return false;
  const LessonView& lesson = *now->view<LessonsView>().lesson;
  if (forward && ui.card.rest > 0) {
    ++ui.card.pages;
  } else if (forward && !lesson.revealed) {
    session.apply(model::command("lessons.reveal"));
  } else if (forward || lesson.index > 0) {
    session.apply(model::command("lessons.step", forward ? lesson.index + 1 : lesson.index - 1));
  }
  return true;
}

bool handleChoices(const gfx::KeyEvent& event, model::Session& session, UiState& ui) {
  using gfx::Key;
  const auto now = session.snapshot();
  if (!ui.choiceAt || !now->view<LessonsView>().lesson ||
      !now->view<LessonsView>().lesson->step().ask)
    return false;
  const size_t count = now->view<LessonsView>().lesson->step().ask->choices.size();
  const size_t at = std::min(*ui.choiceAt, count - 1);
  switch (event.key) {
    case Key::left:
    case Key::up:
      ui.choiceAt = (at + count - 1) % count;
      return true;
    case Key::right:
    case Key::down:
      ui.choiceAt = (at + 1) % count;
      return true;
    case Key::space:
    case Key::enter:
      session.apply(model::command("lessons.answer", static_cast<double>(at + 1)));
      return true;
    case Key::escape:
      ui.choiceAt.reset();
      return true;
    default:
      return false;
  }
}

}  // namespace tilestep::features
