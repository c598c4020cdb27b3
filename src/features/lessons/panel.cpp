// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "features/lessons/view.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

void drawChoices(const Context& context, const std::vector<std::string>& choices) {
  UiState& ui = context.ui;
  if (std::exchange(ui.answerWished, 0) > 0) ui.choiceAt = 0;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    const std::string label = choices[i] + "##choice";
    const bool clicked = ui.choiceAt ? toggle(context, label.c_str(), ui.choiceAt == i)
                                     : ImGui::Button(label.c_str());
    if (clicked)
      context.session.apply(model::command("lessons.answer", static_cast<double>(i + 1)));
  }
  ImGui::SameLine(0, context.em);
}

void drawNumber(const Context& context) {
  std::string& typed = context.ui.lessonAnswer;
  char text[32];
  std::snprintf(text, sizeof text, "%s", typed.c_str());
  ImGui::SetNextItemWidth(6 * context.em);
  // Dear ImGui 1.90 ignores the first request for the keyboard if another window had the focus.
  if (context.ui.answerWished > 0) {
    --context.ui.answerWished;
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
  }
  const bool entered =
      ImGui::InputText("##answer", text, sizeof text,
                       ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_EnterReturnsTrue);
  if (ImGui::IsItemActive()) context.ui.answerWished = 0;
  typed = text;
  ImGui::SameLine();
  if ((ImGui::Button("Answer") || entered) && !typed.empty())
    context.session.apply(model::command("lessons.answer", std::strtod(typed.c_str(), nullptr)));
  ImGui::SameLine(0, context.em);
}

void drawQuestion(const Context& context, const model::LessonView& view) {
  const std::vector<std::string>& choices = view.shown->choices;
  richText(context, "**" + view.shown->question + "**");
  if (!view.revealed) {
    choices.empty() ? drawNumber(context) : drawChoices(context, choices);
    if (ImGui::Button("Show")) context.session.apply(model::command("lessons.reveal"));
    if (!view.verdict.empty()) ImGui::SameLine(0, context.em);
  }
  if (!view.verdict.empty()) {
    ImGui::AlignTextToFramePadding();
    ImGui::PushStyleColor(
        ImGuiCol_Text, vector(view.right ? gfx::inkOf(context.palette.category(2), context.palette)
                                         : context.palette.warning));
    ImGui::TextUnformatted(view.verdict.c_str());
    ImGui::PopStyleColor();
  }
}

/// Where the figures come from, and why some are missing.
void drawOrigin(const Context& context, const model::FilledStep& shown) {
  std::string text = shown.origin.empty() ? "" : "Figures: " + shown.origin + ".";
  if (shown.coming) text += (text.empty() ? "" : " ") + std::string("Some are being worked out …");
  if (!shown.missing.empty())
    text += (text.empty() ? "" : " ") + std::string("No figure: ") + shown.missing + ".";
  if (!text.empty()) mutedWrapped(context, text);
}

void drawHead(const Context& context, const model::LessonView& view) {
  const float em = context.em;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  const float title = ImGui::CalcTextSize(view.step().title.c_str()).x + em;
  ImGui::PopFont();
  const size_t count = view.lesson->steps.size();
  std::string place = std::to_string(view.index + 1) + " of " + std::to_string(count);
  const std::string whole = view.lesson->title + " · " + place;
  const float room = ImGui::GetContentRegionAvail().x - title - 13 * em;  // Without the buttons.
  if (ImGui::CalcTextSize(whole.c_str()).x < room) place = whole;
  float width = ImGui::CalcTextSize(place.c_str()).x + em;
  for (const char* label : {"Back", "Next", "Close"})
    width += ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
  width += 2 * ImGui::GetStyle().ItemSpacing.x;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  clipped(view.step().title, right - ImGui::GetCursorPosX() - 0.5F * em);
  ImGui::PopFont();
  ImGui::SameLine(std::max(right, ImGui::GetCursorPosX()));
  muted(context, place);
  ImGui::SameLine(0, em);
  ImGui::BeginDisabled(view.index == 0);
  if (ImGui::Button("Back##lesson"))
    context.session.apply(model::command("lessons.step", view.index - 1));
  ImGui::EndDisabled();
  tooltip(context, "The lesson's step before (Page Up)");
  ImGui::SameLine();
  ImGui::BeginDisabled(view.index + 1 == count);
  if (ImGui::Button("Next##lesson"))
    context.session.apply(model::command("lessons.step", view.index + 1));
  ImGui::EndDisabled();
  tooltip(context, "The lesson's next step (Page Down)");
  ImGui::SameLine();
  if (ImGui::Button("Close##lesson")) context.session.apply(model::command("lessons.close"));
  tooltip(context, "Closes the lesson and leaves the scene as it is (L)");
}

}  // namespace

void drawLesson(const Context& context) {
  if (!context.snapshot.view<model::LessonsView>().lesson) return;
  const model::LessonView& view = *context.snapshot.view<model::LessonsView>().lesson;
  if (view.lesson != context.ui.lessonShown || view.index != context.ui.lessonStep) {
    context.ui.lessonShown = view.lesson;
    context.ui.lessonStep = view.index;
    context.ui.lessonAnswer.clear();
    context.ui.choiceAt.reset();
    const std::string& panel = view.step().panel;
    if (!panel.empty()) context.ui.warpView = panel == "warp";
    for (size_t i = 0; i < model::kStages; ++i)
      if (view.step().stage == nameOf(static_cast<Stage>(i)))
        context.ui.stage = static_cast<Stage>(i);
    if (view.step().sweep && context.ui.sweep.kind != *view.step().sweep) {
      context.ui.sweep = {*view.step().sweep};
      context.ui.sweepAt.reset();
    }
    if (!panel.empty()) context.ui.threadView = panel == "thread";
  }
  drawHead(context, view);
  for (const std::string& paragraph : view.shown->text) richText(context, paragraph);
  if (view.step().ask) drawQuestion(context, view);
  if (view.revealed || !view.step().ask) context.ui.answerWished = 0;
  if (view.revealed || !view.step().ask) context.ui.choiceAt.reset();
  if (view.revealed) {
    for (const std::string& paragraph : view.shown->answer) richText(context, paragraph);
  }
  drawOrigin(context, *view.shown);
  context.ui.lessonHeight = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
}

void drawLessonMenu(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  if (now.view<model::LessonsView>().lessons.empty()) return;
  if (ImGui::Button("lessons")) ImGui::OpenPopup("lessons");
  tooltip(context, "Lessons with scenes and questions (L: the first one, or close)");
  if (!ImGui::BeginPopup("lessons")) return;
  for (const model::LessonEntry& entry : now.view<model::LessonsView>().lessons)
    if (ImGui::Selectable(entry.title.c_str()))
      context.session.apply(model::command("lessons.open", entry.file));
  ImGui::EndPopup();
}

}  // namespace tilestep::ui
