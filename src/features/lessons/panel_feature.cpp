// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "features/lessons/panel.h"
#include "features/lessons/panel_script.h"
#include "features/lessons/view.h"
#include "ui/kit/feature_panel.h"

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

/// Selects the first choice, or gives the field the keyboard focus if there are no choices. Does so
/// immediately, because keys may follow before the next frame.
void beginAnswer(const model::Snapshot& now, UiState& ui) {
  const auto& lesson = now.view<LessonsView>().lesson;
  const bool hasChoices =
      lesson && !lesson->revealed && lesson->shown && !lesson->shown->choices.empty();
  if (hasChoices)
    ui.choiceAt = 0;
  else
    ui.answerWished = kAnswerFrames;
}

model::PageQuestion questionOf(const FilledStep& shown) {
  model::PageQuestion question{shown.question, shown.choices, std::nullopt, answerText(shown.right),
                               shown.answer};
  if (shown.right.value) question.right = *shown.right.value;
  question.hint = shown.hint;
  for (const FilledMisconception& wrong : shown.wrong)
    if (wrong.answer) question.wrong.emplace_back(*wrong.answer, wrong.because);
  return question;
}

void addLesson(const LessonView& lesson, PageStep& step) {
  const FilledStep& shown = *lesson.shown;
  step.title = lesson.step().title;
  step.text = shown.text;
  step.origin = shown.origin;
  if (lesson.step().ask) {
    step.question = questionOf(shown);
    step.question->hidden = lesson.step().ask->hide;
  } else {
    // Without a question, the explanation directly follows the text.
    step.text.insert(step.text.end(), shown.answer.begin(), shown.answer.end());
  }
}

/// Requests the layout that the open step and its question need, unless the user chose another.
void setWishes(const model::Snapshot& now, UiState& ui) {
  const auto& lesson = now.view<LessonsView>().lesson;
  if (!lesson) ui.choiceAt.reset();
  if (!lesson && !ui.predicting) ui.card = {};
  static const LessonStep kNone;
  const LessonStep& step = lesson ? lesson->step() : kNone;
  ui.sourceServes = step.panel == "source";
  ui.panelServes = !step.panel.empty() && !ui.sourceServes && !ui.stepCovered;
  ui.occupancyServes = step.occupancy && !ui.card.ownPlot;
  ui.levelServes = ui.card.ownLevel ? model::RoofFocus::nearest : step.level;
  ui.allLevelsServe = step.allLevels && !ui.card.ownAllLevels;
  const bool speaksOfTimes =
      step.scene.device == model::SceneRequest::kMeasured ||
      (step.ask && std::ranges::find(step.ask->open, Covered::measures) != step.ask->open.end());
  // A presentation has space for one plot.
  const bool stageHasPlot = ui.presenting && ui.stage != Stage::scene;
  ui.plotServes =
      !stageHasPlot && ((!lesson && !ui.predicting) || ui.shownPlot() != model::PlotKind::speed ||
                        ui.showsOccupancyAlone() || speaksOfTimes);
}

class LessonsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"L", "open a lesson, or close it (also Esc) and restore what was shown", KeyGroup::lessons,
         false, U"lL", [](char32_t, model::Session& session, UiState&) { toggleLesson(session); }},
        {"Page Up, Page Down",
         "a lesson's steps; Page Down first scrolls and shows an open question's answer",
         KeyGroup::lessons},
        {"F11", "lesson: fold an answered question's text to one line, or unfold it",
         KeyGroup::lessons},
        {"Q", "answer a question: type and press Enter, or use arrows and Space", KeyGroup::lessons,
         false, U"qQ", [](char32_t, model::Session& session, UiState& ui) {
           beginAnswer(*session.snapshot(), ui);
         }}};
  }
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::lesson, drawLesson}, {Part::lessonText, drawLessonText}};
  }
  [[nodiscard]] std::unique_ptr<StepScript> makeScript() const override {
    return std::make_unique<LessonScript>();
  }
  void prepare(const Context& context) const override { setWishes(context.snapshot, context.ui); }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& ui) const override {
    return (turn == KeyTurn::page && handlePages(event, session, ui)) ||
           (turn == KeyTurn::choice && handleChoices(event, session, ui));
  }
  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    if (group != PaletteGroup::learning) return;
    for (const LessonEntry& lesson : context.snapshot.view<LessonsView>().lessons)
      to.push_back(paletteItem(context, "Lesson: " + lesson.title, "",
                               model::command("lessons.open", lesson.file)));
  }
  void describe(const model::Snapshot& now, const UiState& /*ui*/,
                model::PageStep& step) const override {
    const auto& lesson = now.view<LessonsView>().lesson;
    if (lesson) addLesson(*lesson, step);
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
