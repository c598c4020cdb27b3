// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "features/first_minute/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// A row of dots that shows the progress.
void drawPlace(const Context& context, MinutePart part) {
  const float em = context.em, step = 0.8F * em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + ImGui::GetFrameHeight() / 2;
  for (size_t i = 0; i < kMinuteParts; ++i) {
    const bool now = i == static_cast<size_t>(part);
    ImGui::GetWindowDrawList()->AddCircleFilled(
        {at.x + (static_cast<float>(i) + 0.5F) * step, y}, (now ? 0.26F : 0.16F) * em,
        colour(now ? context.palette.accent : context.palette.mutedText));
  }
  ImGui::Dummy({step * static_cast<float>(kMinuteParts), ImGui::GetFrameHeight()});
}

void drawChoices(const Context& context, const FirstMinuteView& view) {
  for (size_t i = 0; i < view.choices.size(); ++i) {
    if (ImGui::Button((view.choices[i] + "##guess").c_str()))
      context.session.apply(model::command("first_minute.answer", i));
    ImGui::SameLine();
  }
}

/// The links to continue with.
void drawEnd(const Context& context, const FirstMinuteView& view) {
  model::Session& session = context.session;
  if (ImGui::Button("Remove a barrier")) {
    session.apply(model::command("first_minute.close"));
    session.apply(model::command("barriers.remove", uint32_t{1}));
  }
  ImGui::SameLine();
  if (!view.lesson.empty() && ImGui::Button(("Lesson: " + view.lessonTitle).c_str())) {
    session.apply(model::command("first_minute.close"));
    session.apply(model::command("lessons.open", view.lesson));
  }
  ImGui::SameLine();
  if (ImGui::Button("Explore")) session.apply(model::command("first_minute.close"));
  ImGui::SameLine();
}

float minuteButtonWidth(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void drawMinuteButtons(const Context& context, const FirstMinuteView& view) {
  const bool last = view.part == MinutePart::end;
  const float left = ImGui::GetCursorPosX();
  last ? drawEnd(context, view) : drawChoices(context, view);
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const auto widthOf = [&](const char* next, const char* leave) {
    return 0.8F * context.em * static_cast<float>(kMinuteParts) + minuteButtonWidth("Back") +
           (last ? 0 : minuteButtonWidth(next) + spacing) + minuteButtonWidth(leave) + 2 * spacing;
  };
  const char *next = "Next (Space)", *leave = last ? "Close (Esc)" : "Skip (Esc)";
  if (widthOf(next, leave) > ImGui::GetWindowContentRegionMax().x - left) {
    next = "Next";
    leave = last ? "Close" : "Skip";
  }
  const float at = ImGui::GetWindowContentRegionMax().x - widthOf(next, leave);
  if (ImGui::GetCursorPosX() > std::max(at, left)) ImGui::NewLine();
  ImGui::SetCursorPosX(std::max(at, left));
  drawPlace(context, view.part);
  ImGui::SameLine();
  ImGui::BeginDisabled(view.part == MinutePart::alone);
  if (ImGui::Button("Back")) context.session.apply(model::command("first_minute.back"));
  ImGui::EndDisabled();
  ImGui::SameLine();
  if (!last) {
    ImGui::BeginDisabled(view.waits);
    if (ImGui::Button(next)) context.session.apply(model::command("first_minute.next"));
    ImGui::EndDisabled();
    ImGui::SameLine();
  }
  if (ImGui::Button(leave)) context.session.apply(model::command("first_minute.close"));
  tooltip(context, "F9 starts this tour again");
}

/// The current part of the tour. Writes the required height to UiState::lessonHeight.
void drawFirstMinute(const Context& context) {
  const auto& view = context.snapshot.view<FirstMinuteView>();
  constexpr float kWide = 44;  // em
  const bool wide = ImGui::GetContentRegionAvail().x > kWide * context.em;
  richText(context, view.text, wide ? Setting::large : Setting::body);
  ImGui::Dummy({0, 0.2F * context.em});
  drawMinuteButtons(context, view);
  const float needed = ImGui::GetCursorPosY() + ImGui::GetStyle().WindowPadding.y;
  // Never shrinks, so that the scene stays in place when the part changes.
  context.ui.lessonHeight = std::max(context.ui.lessonHeight, needed);
}

/// Space, Right and Page Down go on, Left and Page Up go back, Esc leaves the tour.
bool handleFirstMinute(const gfx::KeyEvent& event, model::Session& session) {
  using gfx::Key;
  if (!session.snapshot()->view<FirstMinuteView>().shown) return false;
  const bool last = session.snapshot()->view<FirstMinuteView>().part == MinutePart::end;
  switch (event.key) {
    case Key::space:
    case Key::right:
    case Key::pageDown:
      session.apply(model::command(last ? "first_minute.close" : "first_minute.next"));
      return true;
    case Key::left:
    case Key::pageUp:
      session.apply(model::command("first_minute.back"));
      return true;
    case Key::escape:
      session.apply(model::command("first_minute.close"));
      return true;
    default:
      return false;
  }
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::first_minute {
namespace {

using nlohmann::json;

class FirstMinutePanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::firstMinute, drawFirstMinute}};
  }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& session,
                 UiState& /*ui*/) const override {
    return turn == KeyTurn::tour && handleFirstMinute(event, session);
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<FirstMinuteView>();
    to["first_minute"] = nullptr;
    if (!view.shown) return;
    to["first_minute"] = {{"step", static_cast<size_t>(view.part) + 1},
                          {"steps", kMinuteParts},
                          {"text", view.text},
                          {"covers", view.covers},
                          {"choices", view.choices}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<FirstMinutePanel>();
}

}  // namespace tilestep::features::first_minute
