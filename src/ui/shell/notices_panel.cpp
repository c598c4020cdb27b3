// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/cover.h"
#include "ui/shell/layout.h"
#include "ui/shell/toast.h"

namespace tilestep::ui {
namespace {

void drawNotice(const Context& context, const model::Notice& notice) {
  const gfx::Palette& p = context.palette;
  const float em = context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(notice.about.c_str());
  ImGui::Indent(0.8F * em);
  const char* kind = notice.kind == model::Notice::Kind::error     ? "Error"
                     : notice.kind == model::Notice::Kind::warning ? "Note"
                                                                   : "Info";
  muted(context, kind);
  ImGui::SameLine();
  if (ImGui::SmallButton("dismiss"))
    context.session.apply(model::command("notices.dismiss", notice.about));
  wrapped(notice.text);
  if (!notice.source.empty()) {
    compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
    mutedWrapped(context, notice.source);
    ImGui::PopFont();
  }
  for (const uint32_t line : notice.lines) {
    if (line != notice.lines.front()) ImGui::SameLine();
    if (ImGui::SmallButton(("line " + std::to_string(line)).c_str())) chooseLine(context.ui, line);
    tooltip(context, "Shows the line in the source. N then visits the steps that executed it.");
  }
  if (notice.fix && notice.fix->tunable.empty() &&
      ImGui::Button("Run the kernel in the interpreter")) {
    context.session.apply(model::command("figures.interpret"));
  }
  if (notice.nearest && ImGui::Button("Go to the nearest recorded point"))
    context.session.goTo(*notice.nearest);
  ImGui::Unindent(0.8F * em);
  const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
  const gfx::Color bar = notice.kind == model::Notice::Kind::info ? p.mutedText : p.warning;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 0.22F * em, bottom}, colour(bar),
                                            0.1F * em);
  ImGui::PopID();
}

ImVec2 paddingOf(float em) {
  return {0.8F * em, 0.5F * em};
}

ImVec2 toastSize(const Context& context, float room) {
  const float width = std::min(0.9F * room, 40 * context.em);
  const ImVec2 padding = paddingOf(context.em);
  const float text = wrappedHeight(context.ui.toast.notice->text, width - 2 * padding.x);
  return {width, std::ceil(text + 2 * padding.y)};
}

/// The notice that a toast would show; null if none. The outcome of a removed barrier is shown
/// above the scene, and a presentation has no space to repeat it.
const model::Notice* newestOf(const Context& context) {
  const auto& notices = context.snapshot.notices;
  const auto& main = context.snapshot.main;
  if (context.ui.presenting && main && main->side->removedLine > 0 && !notices.empty() &&
      notices.back().about == "scene")
    return nullptr;
  if (notices.empty() || notices.back().about == "choice" || isHeldBack(context, notices.back()))
    return nullptr;
  return &notices.back();
}

}  // namespace

/// Draws all notices except those about the choice, which are shown next to their sliders.
void drawNotices(const Context& context) {
  bool first = true;
  for (const model::Notice& notice : context.snapshot.notices) {
    if (notice.about == "choice" || isHeldBack(context, notice)) continue;
    if (first) {
      ImGui::Dummy({0, 0.3F * context.em});
      heading(context, "Notices");
    }
    first = false;
    drawNotice(context, notice);
  }
  const float bottom = ImGui::GetCursorScreenPos().y;
  context.ui.noticesSeen = !first && bottom <= ImGui::GetWindowPos().y + ImGui::GetWindowHeight();
}

float heightOfToast(const Context& context, float width) {
  const model::Notice* newest = newestOf(context);
  const Toast& toast = context.ui.toast;
  const bool shown = newest != nullptr && toast.notice == *newest && context.now < toast.until;
  return shown && !context.ui.noticesSeen ? toastSize(context, width).y : 0;
}

void startToast(const Context& context) {
  constexpr double kSeconds = 6;
  const model::Notice* newest = newestOf(context);
  Toast& toast = context.ui.toast;
  if (newest != nullptr && toast.notice != *newest) toast = {*newest, context.now + kSeconds};
}

void drawToast(const Context& context, const gfx::Box& box) {
  const Toast& toast = context.ui.toast;
  if (box.width <= 0 || context.ui.noticesSeen) return;
  const float em = context.em;
  const ImVec2 size = toastSize(context, box.width);
  // The area above the box stays free, so text that is higher than the box extends below it.
  const float y = std::max(box.y, box.y + box.height - 0.5F * em - size.y);
  const float most = ImGui::GetIO().DisplaySize.y - y;
  ImGui::SetNextWindowPos({box.x + (box.width - size.x) / 2, y});
  ImGui::SetNextWindowSize({size.x, std::min(size.y, most)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, paddingOf(em));
  ImGui::Begin("##toast", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoSavedSettings);
  const bool bad = toast.notice->kind != model::Notice::Kind::info;
  if (bad)
    warning(context, toast.notice->text);
  else
    wrapped(toast.notice->text);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
