// SPDX-License-Identifier: Apache-2.0
#include "features/lessons/panel.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>

#include "features/lessons/view.h"
#include "ui/kit/parts.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// Number of frames in which the text still scrolls to a position. Dear ImGui knows the text's
/// length a frame later, and the card's height follows another frame later.
constexpr int kScrollFrames = 4;

void drawLessonChoices(const Context& context, const std::vector<std::string>& choices) {
  UiState& ui = context.ui;
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) sameLineIfRoom(choices[i].c_str(), right);
    const std::string label = choices[i] + "##choice";
    const bool clicked = ui.choiceAt ? toggle(context, label.c_str(), ui.choiceAt == i)
                                     : wrappedButton(label.c_str());
    if (clicked)
      context.session.apply(model::command("lessons.answer", static_cast<double>(i + 1)));
  }
  sameLineIfRoom("Hint   Show   ", right);
}

/// Keeps the keyboard focus in the field until the answer is right. Otherwise the window would
/// handle the next answer as key presses.
void keepKeyboard(const Context& context) {
  context.ui.answerWished = kAnswerFrames;
}

void drawNumber(const Context& context) {
  std::string& typed = context.ui.lessonAnswer;
  char text[32];
  std::snprintf(text, sizeof text, "%s", typed.c_str());
  ImGui::SetNextItemWidth(6 * context.em);
  // Dear ImGui 1.90 ignores the first focus request if another window had the focus.
  if (context.ui.answerWished > 0) {
    --context.ui.answerWished;
    ImGui::SetWindowFocus();
    ImGui::SetKeyboardFocusHere();
  }
  const bool entered =
      ImGui::InputText("##answer", text, sizeof text,
                       ImGuiInputTextFlags_CharsScientific | ImGuiInputTextFlags_EnterReturnsTrue |
                           ImGuiInputTextFlags_AutoSelectAll);
  const bool active = ImGui::IsItemActive();
  if (active) context.ui.answerWished = 0;
  typed = text;
  ImGui::SameLine();
  if (ImGui::Button("Answer") || entered) {
    if (!typed.empty())
      context.session.apply(model::command("lessons.answer", std::strtod(typed.c_str(), nullptr)));
    keepKeyboard(context);
  }
  context.ui.typingSoon = active || context.ui.answerWished > 0;
  ImGui::SameLine(0, context.em);
}

/// The verdict on the last answer, beside a bar whose colour means right, wrong or shown.
void drawVerdict(const Context& context, const LessonView& view) {
  const float indent = 0.8F * context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Indent(indent);
  richText(context, view.verdict);
  ImGui::Unindent(indent);
  const float bottom = ImGui::GetItemRectMax().y;
  const gfx::Palette& palette = context.palette;
  const gfx::Color bar = view.right      ? palette.category(2)
                         : view.revealed ? palette.strongLine
                                         : palette.warning;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 0.22F * context.em, bottom}, colour(bar));
}

void drawQuestion(const Context& context, const LessonView& view) {
  const std::vector<std::string>& choices = view.shown->choices;
  richText(context, "**" + view.shown->question + "**");
  if (!view.revealed) {
    choices.empty() ? drawNumber(context) : drawLessonChoices(context, choices);
    if (view.answered && !view.hinted && !view.shown->hint.empty()) {
      if (ImGui::Button("Hint")) {
        context.session.apply(model::command("lessons.hint"));
        if (choices.empty()) keepKeyboard(context);
      }
      ImGui::SameLine();
    }
    if (ImGui::Button("Show")) context.session.apply(model::command("lessons.reveal"));
    tooltip(context, "Shows the answer (Page Down)");
  }
  if (!view.verdict.empty()) drawVerdict(context, view);
  if (view.hinted && !view.revealed) richText(context, "**Hint:** " + view.shown->hint);
}

/// The origin of the figures, and the reason why some figures are missing.
void drawOrigin(const Context& context, const FilledStep& shown) {
  std::string text = shown.origin.empty() ? "" : "Figures: " + shown.origin + ".";
  if (shown.coming)
    text += (text.empty() ? "" : " ") + std::string("Some figures are still being computed …");
  if (!shown.missing.empty())
    text += (text.empty() ? "" : " ") + std::string("No figure: ") + shown.missing + ".";
  if (!text.empty()) mutedWrapped(context, text);
}

/// A button for the next step or, at the end of the last step, for the next lesson.
void drawNext(const Context& context, const LessonView& view, const std::string& label,
              const std::optional<LessonEntry>& lesson) {
  if (lesson) {
    if (ImGui::Button((label + "##lesson").c_str()))
      context.session.apply(model::command("lessons.open", lesson->file));
    tooltip(context, "The next lesson: " + lesson->title);
    return;
  }
  ImGui::BeginDisabled(view.isLast());
  if (ImGui::Button((label + "##lesson").c_str()))
    context.session.apply(model::command("lessons.step", view.index + 1));
  ImGui::EndDisabled();
  tooltip(context, "The lesson's next step (Page Down; an open question first shows its answer)");
}

/// The width of the three buttons in the card's header, with `next` as the label of the second.
float headButtonsWidth(const std::string& next) {
  float width = 2 * ImGui::GetStyle().ItemSpacing.x;
  for (const char* label : {"Back", next.c_str(), "Close"})
    width += ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
  return width;
}

/// "Why tile · 1 of 8"; with less space "step 1 of 8", "1 / 8" or nothing.
std::string placeOf(const LessonView& view, float room) {
  const std::string at = std::to_string(view.index + 1);
  const std::string all = std::to_string(view.lesson->steps.size());
  const std::string place = at + " of " + all;
  for (const std::string& text :
       {view.lesson->title + " · " + place, "step " + place, at + " / " + all})
    if (ImGui::CalcTextSize(text.c_str()).x <= room) return text;
  return {};
}

void drawHeadButtons(const Context& context, const LessonView& view, const std::string& label,
                     const std::optional<LessonEntry>& next) {
  ImGui::BeginDisabled(view.index == 0);
  if (ImGui::Button("Back##lesson"))
    context.session.apply(model::command("lessons.step", view.index - 1));
  ImGui::EndDisabled();
  tooltip(context, "The lesson's previous step (Page Up)");
  ImGui::SameLine();
  drawNext(context, view, label, next);
  ImGui::SameLine();
  if (ImGui::Button("Close##lesson")) context.session.apply(model::command("lessons.close"));
  tooltip(context, context.snapshot.view<LessonsView>().givesBack
                       ? "Closes the lesson and restores what was shown before it (Esc, L)"
                       : "Closes the lesson and leaves the scene as it is (Esc, L)");
}

/// The step's title, position and buttons, on one line or, in a narrow card, on two.
void drawHead(const Context& context, const LessonView& view) {
  const bool isAtEnd = view.isLast() && view.revealed;
  const auto next = isAtEnd ? context.snapshot.view<LessonsView>().next : std::nullopt;
  const float em = context.em, left = ImGui::GetCursorPosX();
  const float room = ImGui::GetContentRegionAvail().x;
  std::string label = next ? "Next: " + next->title : "Next";
  const float leastPlace = ImGui::CalcTextSize("16 / 16").x + em;
  if (next && headButtonsWidth(label) + leastPlace > room) label = "Next lesson";
  const std::string& title = view.step().title;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  const float titleWidth = ImGui::CalcTextSize(title.c_str()).x + em;
  ImGui::PopFont();
  const float buttons = headButtonsWidth(label), rest = room - buttons - em;
  const std::string place = placeOf(view, rest - titleWidth);
  const float placeWidth = ImGui::CalcTextSize(place.c_str()).x;
  const bool isOneLine = titleWidth + placeWidth <= rest;
  ImGui::AlignTextToFramePadding();
  if (isOneLine) {
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(title.c_str());
    ImGui::PopFont();
    ImGui::SameLine(left + rest - placeWidth);
    muted(context, place);
  } else {
    muted(context, placeOf(view, rest));
  }
  ImGui::SameLine(left + room - buttons);
  drawHeadButtons(context, view, label, next);
  if (isOneLine) return;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  wrapped(title);
  ImGui::PopFont();
}

/// A button at the lesson's end that closes it and keeps its scene.
void drawStay(const Context& context) {
  if (ImGui::Button("Close, keep the scene")) context.session.apply(model::command("lessons.stay"));
  tooltip(context,
          "Closes the lesson and keeps its scene, so that you can continue from it. \"Close\" "
          "restores what was shown before the lesson.");
}

/// Whether a paragraph is "**Aim:** … **Time:** …", which a presentation omits.
bool isAim(const std::string& paragraph) {
  return paragraph.starts_with("**Aim:**");
}

void drawText(const Context& context, const LessonView& view) {
  drawPart(Part::labKernels, context);
  for (const std::string& paragraph : view.shown->text)
    if (!context.ui.presenting || !isAim(paragraph)) richText(context, paragraph);
}

/// Draws question, verdict and explanation. Returns the end of the explanation's first paragraph.
float drawAnswer(const Context& context, const LessonView& view) {
  if (view.step().ask) drawQuestion(context, view);
  float end = ImGui::GetCursorPosY();
  for (const std::string& paragraph : view.shown->answer) {
    richText(context, paragraph);
    if (&paragraph == &view.shown->answer.front()) end = ImGui::GetCursorPosY();
  }
  if (view.isLast()) drawPart(Part::predicted, context);
  if (view.isLast()) drawPart(Part::labTimes, context);
  if (view.isLast()) drawStay(context);
  return end;
}

/// Scrolls the text by whole pages, and to position `answer` once the answer is shown.
void scroll(LessonCard& card, float answer) {
  const float page = ImGui::GetWindowHeight() - 2 * ImGui::GetTextLineHeightWithSpacing();
  if (card.toTop > 0) ImGui::SetScrollY(0);
  if (card.toAnswer > 0) ImGui::SetScrollY(answer);
  card.toTop = std::max(card.toTop - 1, 0);
  card.toAnswer = std::max(card.toAnswer - 1, 0);
  if (const int pages = std::exchange(card.pages, 0); pages > 0)
    ImGui::SetScrollY(ImGui::GetScrollY() + static_cast<float>(pages) * page);
  const float rest = ImGui::GetScrollMaxY() - ImGui::GetScrollY();
  card.rest = rest > ImGui::GetTextLineHeight() / 2 ? rest : 0;
}

/// Draws the part below the header. While a question is open, it and its choices stay at the lower
/// edge and the text above scrolls. Later the question scrolls with the text.
void drawBody(const Context& context, const LessonView& view) {
  LessonCard& card = context.ui.card;
  const bool open = !view.revealed;
  if (card.wasOpen && !open) card.toAnswer = kScrollFrames;
  card.wasOpen = open;
  const float top = ImGui::GetCursorPosY(), spacing = ImGui::GetStyle().ItemSpacing.y;
  const float line = ImGui::GetTextLineHeightWithSpacing();
  const float room = ImGui::GetContentRegionAvail().y - (open ? card.question : 0);
  const bool scrolls = card.text > room + 1;
  if (scrolls) compat::beginPart("text", std::max(room - spacing, line));
  const float begin = ImGui::GetCursorPosY();
  drawText(context, view);
  const float answer = ImGui::GetCursorPosY();
  const float firstEnd = open ? answer : drawAnswer(context, view);
  if (!context.ui.presenting) drawOrigin(context, *view.shown);
  card.text = ImGui::GetCursorPosY() - begin;
  card.rest = 0;
  if (scrolls) {
    scroll(card, answer);
    ImGui::EndChild();
  }
  const float question = ImGui::GetCursorPosY();
  if (open) drawQuestion(context, view);
  card.question = ImGui::GetCursorPosY() - question;
  const float edges = top + ImGui::GetStyle().WindowPadding.y;
  constexpr float kLines = 3;  // Minimum for the text above an open question.
  card.least = edges + (open              ? std::min(card.text, kLines * line) + card.question
                        : view.step().ask ? firstEnd - answer
                                          : 0);
  context.ui.lessonHeight = edges + card.text + card.question;
}

}  // namespace

void drawLesson(const Context& context) {
  if (!context.snapshot.view<LessonsView>().lesson) return;
  const LessonView& view = *context.snapshot.view<LessonsView>().lesson;
  LessonCard& card = context.ui.card;
  if (view.lesson != context.ui.lessonShown || view.index != context.ui.lessonStep) {
    card = {.toTop = kScrollFrames};
    // The lesson's requests replace earlier requests.
    if (view.lesson != context.ui.lessonShown)
      for (PanelWish& wish : context.ui.panels) wish.asked = 0;
    context.ui.lessonShown = view.lesson;
    context.ui.lessonStep = view.index;
    context.ui.lessonAnswer.clear();
    context.ui.choiceAt.reset();
    const std::string& panel = view.step().panel;
    context.ui.warpView = panel == "warp";
    context.ui.threadView = panel == "thread";
    context.ui.ptxView = panel == "ptx";
    for (size_t i = 0; i < model::kStages; ++i)
      if (view.step().stage == nameOf(static_cast<Stage>(i)))
        context.ui.stage = static_cast<Stage>(i);
    if (view.step().sweep && context.ui.sweep.kind != *view.step().sweep) {
      context.ui.sweep = {*view.step().sweep};
      context.ui.sweepAt.reset();
    }
  }
  drawHead(context, view);
  card.folded = card.folded && view.revealed;
  if (card.folded) {
    card.rest = card.least = 0;
    context.ui.lessonHeight = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
  } else {
    drawBody(context, view);
  }
  if (view.revealed || !view.step().ask) context.ui.answerWished = 0;
  if (view.revealed || !view.step().ask) context.ui.choiceAt.reset();
}

void drawLessonText(const Context& context) {
  const LessonView& lesson = *context.snapshot.view<LessonsView>().lesson;
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  wrapped(lesson.step().title);
  ImGui::PopFont();
  for (const std::string& paragraph : lesson.shown->text) richText(context, paragraph);
  if (lesson.step().ask) richText(context, "**" + lesson.shown->question + "**");
  if (!lesson.revealed) return;
  for (const std::string& paragraph : lesson.shown->answer) richText(context, paragraph);
}

}  // namespace tilestep::features
