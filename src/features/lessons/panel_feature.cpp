// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "features/lessons/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/stage_keys.h"

namespace tilestep::features::lessons {
namespace {

using nlohmann::json;

json stateOf(const std::optional<LessonView>& view) {
  if (!view) return nullptr;
  const bool asks = view->step().ask.has_value();
  return {{"title", view->lesson->title},
          {"step", view->index + 1},
          {"steps", view->lesson->steps.size()},
          {"slug", view->step().slug},
          {"asks", asks},
          {"revealed", view->revealed},
          {"verdict", view->verdict},
          {"hint", view->hinted ? json(view->shown->hint) : json(nullptr)},
          {"text", view->shown->text},
          {"question", view->shown->question},
          {"choices", view->shown->choices},
          {"answer", view->revealed ? json(view->shown->answer) : json(nullptr)},
          {"coming", view->shown->coming || (asks && view->shown->isAnswerComing())},
          {"missing", view->shown->missing},
          {"origin", view->shown->origin}};
}

/// Selects the first choice immediately, because keys may follow before the next frame; without
/// choices the field gets the keyboard.
void beginAnswer(const model::Snapshot& now, UiState& ui) {
  const auto& lesson = now.view<LessonsView>().lesson;
  const bool hasChoices =
      lesson && !lesson->revealed && lesson->shown && !lesson->shown->choices.empty();
  if (hasChoices)
    ui.choiceAt = 0;
  else
    ui.answerWished = kAnswerFrames;
}

class LessonsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"L", "open a lesson, or close it and restore what was shown; Esc closes it, too",
             KeyGroup::lessons, false, U"lL",
             [](char32_t, model::Session& session, UiState&) { toggleLesson(session); }},
            {"Page Up, Page Down",
             "a lesson's steps; down scrolls its text and shows an open question's answer first",
             KeyGroup::lessons},
            {"F11", "fold a lesson's text to one line once it is answered; unfold it",
             KeyGroup::lessons},
            {"Q", "answer a lesson's question: type and Enter, or arrows and Space",
             KeyGroup::lessons, false, U"qQ", [](char32_t, model::Session& session, UiState& ui) {
               beginAnswer(*session.snapshot(), ui);
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& lessons = now.view<LessonsView>();
    to["lesson"] = stateOf(lessons.lesson);
    if (lessons.lesson) to["lesson"]["more_below"] = ui.card.rest > 0;
    for (const LessonEntry& entry : lessons.lessons)
      if (entry.at || entry.finished)
        to["lessons"][std::filesystem::path(entry.file).stem().string()] = {
            {"at", entry.at ? json(*entry.at + 1) : json(nullptr)}, {"finished", entry.finished}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LessonsPanel>();
}

}  // namespace tilestep::features::lessons
