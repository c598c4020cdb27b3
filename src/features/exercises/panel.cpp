// SPDX-License-Identifier: Apache-2.0
// The stage: the list of exercises, or the open exercise.
#include "features/exercises/panel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "model/scene/traced_kernel.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"
#include "ui/shell/layout.h"

namespace tilestep::features {
namespace {

const char* stateText(ExerciseState state) {
  return state == ExerciseState::passed ? "passed" : state == ExerciseState::begun ? "begun" : "";
}

std::string countText(const ExercisesView& view) {
  return std::to_string(view.passed()) + " of " + std::to_string(view.exercises->size()) +
         " passed";
}

void drawEntry(const Context& context, const ExercisesView& view, size_t index, float width) {
  const Exercise& exercise = (*view.exercises)[index];
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = 0.1F * context.em, line = ImGui::GetTextLineHeight();
  ImGui::PushID(exercise.id.c_str());
  if (ImGui::Selectable("##exercise", false, 0, {width, line + 2 * gap}))
    context.session.apply(model::command("exercises.open", exercise.id));
  ImGui::PopID();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImU32 quiet = colour(context.palette.mutedText);
  const std::string number = std::to_string(exercise.number);
  const float numbers = ImGui::CalcTextSize("00").x;
  list.AddText({at.x + numbers - ImGui::CalcTextSize(number.c_str()).x, at.y + gap}, quiet,
               number.c_str());
  const std::string state = stateText(view.states[index]);
  const float stateWidth = state.empty() ? 0 : ImGui::CalcTextSize(state.c_str()).x + context.em;
  const float title = at.x + numbers + 0.7F * context.em;
  const std::string shown = cutTo(exercise.title, at.x + width - stateWidth - title);
  list.AddText({title, at.y + gap}, colour(context.palette.text), shown.c_str());
  const bool passed = view.states[index] == ExerciseState::passed;
  list.AddText(
      {at.x + width - ImGui::CalcTextSize(state.c_str()).x - 0.3F * context.em, at.y + gap},
      passed ? colour(gfx::inkOf(context.palette.category(2), context.palette)) : quiet,
      state.c_str());
}

void drawList(const Context& context, const ExercisesView& view) {
  richText(
      context,
      "Each of these kernels has a bug. **Find it** and fix it in your own editor. Your file is "
      "tested with hidden sizes. " +
          countText(view) + ".",
      Setting::sentence);
  const size_t count = view.exercises->size();
  const float room = ImGui::GetContentRegionAvail().x, gap = 1.5F * context.em;
  const size_t columns = std::clamp<size_t>(static_cast<size_t>(room / (18 * context.em)), 1, 3);
  const float width =
      std::min((room - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns),
               30 * context.em);
  const size_t rows = (count + columns - 1) / columns;
  const ImVec2 start = ImGui::GetCursorPos();
  float bottom = start.y;
  for (size_t i = 0; i < count; ++i) {
    if (i % rows == 0) ImGui::SetCursorPosY(start.y);
    const size_t column = i / rows;
    ImGui::SetCursorPosX(start.x + static_cast<float>(column) * (width + gap));
    drawEntry(context, view, i, width);
    bottom = std::max(bottom, ImGui::GetCursorPosY());
  }
  ImGui::SetCursorPos({start.x, bottom});
  ImGui::Dummy({1, 1});
}

float buttonWidth(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void openAt(const Context& context, const ExercisesView& view, size_t index) {
  context.session.apply(model::command("exercises.open", (*view.exercises)[index].id));
}

/// The title on the left, and the buttons for other exercises on the right.
void drawHead(const Context& context, const ExercisesView& view) {
  const Exercise& exercise = *view.openExercise();
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  float width = 0;
  for (const char* label : {"Back", "Next", "All exercises"}) width += buttonWidth(label) + spacing;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width + spacing;
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  clipped(std::to_string(exercise.number) + " · " + exercise.title,
          right - ImGui::GetCursorPosX() - context.em);
  ImGui::PopFont();
  if (context.ui.readOnly) return;
  ImGui::SameLine(std::max(right, ImGui::GetCursorPosX()));
  ImGui::BeginDisabled(view.open == 0U);
  if (ImGui::Button("Back##exercise")) openAt(context, view, *view.open - 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  ImGui::BeginDisabled(*view.open + 1 == view.exercises->size());
  if (ImGui::Button("Next##exercise")) openAt(context, view, *view.open + 1);
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (ImGui::Button("All exercises")) context.session.apply(model::command("exercises.close"));
  tooltip(context, countText(view));
}

void drawHints(const Context& context, const ExercisesView& view) {
  const Exercise& exercise = *view.openExercise();
  for (size_t i = 0; i < std::min(view.hints, exercise.hints.size()); ++i)
    richText(context, "**Hint " + std::to_string(i + 1) + ":** " + exercise.hints[i]);
}

/// The displayed file, and the choice between the listing and the user's file.
void drawFile(const Context& context, const ExercisesView& view) {
  const Exercise& exercise = *view.openExercise();
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  if (view.hints < exercise.hints.size()) {
    const std::string label = "Hint " + std::to_string(view.hints + 1) + " of " +
                              std::to_string(exercise.hints.size()) + "##next";
    if (ImGui::Button(label.c_str())) context.session.apply(model::command("exercises.hint"));
    sameLineIfRoom("Copy to my folder", right);
  }
  if (view.file.empty()) {
    if (ImGui::Button("Copy to my folder")) context.session.apply(model::command("exercises.copy"));
    tooltip(context,
            "Copies the listing to a file for your own editor, and watches that file. An "
            "existing file is not overwritten.");
    return;
  }
  if (toggle(context, "listing", view.listing))
    context.session.apply(model::command("exercises.listing", true));
  ImGui::SameLine(0, 0.15F * context.em);
  if (toggle(context, "my file", !view.listing))
    context.session.apply(model::command("exercises.listing", false));
  tooltip(context, "Edit it in your own editor; each version that you save is judged.");
  sameLineIfRoom("Copy path", right);
  if (ImGui::Button("Copy path")) ImGui::SetClipboardText(view.file.c_str());
  tooltip(context, view.file);
}

void drawRunning(const Context& context, const AttemptView& attempt) {
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(("Judging your file: launch " + std::to_string(attempt.done + 1) + " of " +
                          std::to_string(attempt.all))
                             .c_str());
  if (context.ui.readOnly) return;
  ImGui::SameLine(0, context.em);
  if (ImGui::Button("Cancel##exercise")) context.session.apply(model::command("exercises.cancel"));
}

void drawJudge(const Context& context) {
  if (!context.ui.readOnly && ImGui::Button("Judge my file"))
    context.session.apply(model::command("exercises.check"));
}

void drawAttempt(const Context& context, const ExercisesView& view) {
  using State = AttemptView::State;
  const AttemptView& attempt = view.attempt;
  const gfx::Palette& p = context.palette;
  switch (attempt.state) {
    case State::none:
      if (!view.file.empty() && !view.listing && !view.isShown && !context.ui.readOnly)
        if (ImGui::Button("Show my file again"))
          context.session.apply(model::command("exercises.check"));
      return;
    case State::running:
      return drawRunning(context, attempt);
    case State::cancelled:
      return drawJudge(context);
    case State::passed:
      return barredText(context, p.category(2),
                        "**Passed.** Result, bounds, races and barriers are right at each of " +
                            std::to_string(attempt.all) + " hidden launches.");
    case State::failed:
      barredText(context, p.warning, "**Not yet.** " + attempt.text);
      break;
    case State::unjudged:
      barredText(context, p.strongLine, attempt.text);
      drawJudge(context);
      break;
  }
  if (attempt.line > 0 && ImGui::IsItemHovered() && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    chooseLine(context.ui, static_cast<uint32_t>(attempt.line));
}

/// The errors of the shown launch, with their lines.
void drawProblems(const Context& context, const ExercisesView& view) {
  constexpr size_t kMost = 3;
  for (size_t i = 0; i < std::min(kMost, view.problems.size()); ++i) {
    const ExercisesView::Problem& problem = view.problems[i];
    const std::string line = "line " + std::to_string(problem.line);
    if (problem.line > 0) {
      ImGui::PushID(static_cast<int>(i));
      if (context.ui.readOnly)
        muted(context, line);
      else if (ImGui::SmallButton(line.c_str()))
        chooseLine(context.ui, problem.line);
      ImGui::PopID();
      ImGui::SameLine();
    }
    wrapped(problem.text);
  }
  if (view.problems.size() > kMost)
    hint(context, "and " + std::to_string(view.problems.size() - kMost) + " more");
}

void drawOpen(const Context& context, const ExercisesView& view) {
  drawHead(context, view);
  richText(context, view.openExercise()->symptom, Setting::sentence);
  drawHints(context, view);
  if (!context.ui.readOnly) drawFile(context, view);
  drawAttempt(context, view);
  if (!view.isShown || (view.launch.empty() && view.problems.empty())) return;
  ImGui::Dummy({0, 0.2F * context.em});
  const char* what = view.listing ? "One launch of the listing" : "One launch of your file";
  heading(context, view.launch.empty() ? "Compiler errors" : what, view.launch);
  drawProblems(context, view);
  drawOutput(context, view, 14 * context.em);
}

}  // namespace

void drawExercises(const Context& context) {
  const auto& view = context.snapshot.view<ExercisesView>();
  if (!view.exercises || view.exercises->empty())
    return hint(context, "There are no exercises in assets/exercises.");
  view.open ? drawOpen(context, view) : drawList(context, view);
}

}  // namespace tilestep::features

namespace tilestep::features::exercises {
namespace {

using nlohmann::json;

const char* nameOf(AttemptView::State state) {
  constexpr const char* kNames[] = {"none", "running", "cancelled", "passed", "failed", "unjudged"};
  return kNames[static_cast<size_t>(state)];
}

class ExercisesPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::exercises; }
  [[nodiscard]] const char* stageHover() const override {
    return "Faulty kernels to fix: find what is wrong";
  }
  void drawStage(const Context& context) const override { drawExercises(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("exercises.watch", isShown));
  }

  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {
        {"!", "exercises: the next wrong element, and the values read for it", KeyGroup::scene}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& ui) const override {
    if (text != U'!' || ui.stage != Stage::exercises) return false;
    session.apply(model::command("exercises.next_wrong"));
    return true;
  }

  void addItems(PaletteGroup group, const Context& context,
                std::vector<PaletteItem>& to) const override {
    const auto& view = context.snapshot.view<ExercisesView>();
    if (group != PaletteGroup::learning || !view.exercises) return;
    for (const model::Exercise& each : *view.exercises)
      to.push_back({"Exercise " + std::to_string(each.number) + ": " + each.title, each.id,
                    [&context, id = each.id] {
                      context.session.apply(model::command("exercises.open", id));
                      context.ui.stage = Stage::exercises;
                    }});
  }

  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<ExercisesView>();
    const model::Exercise* exercise = view.openExercise();
    if (exercise == nullptr) return;
    json& state = to["exercise"];
    state = {{"id", exercise->id},
             {"hints", view.hints},
             {"listing", view.listing},
             {"attempt", nameOf(view.attempt.state)},
             {"text", view.attempt.text}};
    if (ui.stage != Stage::exercises) return;
    state["file"] = view.file;
    state["problems"] = view.problems.size();
    state["wrong"] = view.cells ? view.cells->wrong() : 0;
    state["story"] = view.story ? view.story->name : "";
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ExercisesPanel>();
}

}  // namespace tilestep::features::exercises
