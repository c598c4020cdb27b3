// SPDX-License-Identifier: Apache-2.0
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

void drawNotice(const Context& context, const session::Notice& notice) {
  const gfx::Palette& p = context.palette;
  const float em = context.em;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(notice.about.c_str());
  ImGui::Indent(0.8F * em);
  const char* kind = notice.kind == session::Notice::Kind::error     ? "Error"
                     : notice.kind == session::Notice::Kind::warning ? "Note"
                                                                     : "Info";
  muted(context, kind);
  ImGui::SameLine();
  if (ImGui::SmallButton("dismiss")) context.session.dismiss(notice.about);
  ImGui::TextWrapped("%s", notice.text.c_str());
  if (!notice.source.empty()) {
    compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
    ImGui::PushTextWrapPos(0);
    muted(context, notice.source);
    ImGui::PopTextWrapPos();
    ImGui::PopFont();
  }
  if (notice.fix && notice.fix->tunable.empty() && ImGui::Button("Run it in the interpreter")) {
    context.session.runInInterpreter();
  }
  ImGui::Unindent(0.8F * em);
  const float bottom = ImGui::GetCursorScreenPos().y - ImGui::GetStyle().ItemSpacing.y;
  const gfx::Color bar = notice.kind == session::Notice::Kind::info ? p.mutedText : p.warning;
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + 0.22F * em, bottom}, colour(bar),
                                            0.1F * em);
  ImGui::PopID();
}

}  // namespace

void drawNotices(const Context& context) {
  bool first = true;
  for (const session::Notice& notice : context.snapshot.notices) {
    if (notice.about == "choice") continue;  // Said beside its slider.
    if (first) {
      ImGui::Dummy({0, 0.3F * context.em});
      heading(context, "Notices");
    }
    first = false;
    drawNotice(context, notice);
  }
}

}  // namespace tilestep::ui
