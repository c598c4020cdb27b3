// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/layout.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {
namespace {

void drawBadge(const Context& context) {
  const session::Badge& badge = context.snapshot.badge;
  const gfx::Palette& p = context.palette;
  const float em = context.em;
  const ImVec2 size = ImGui::CalcTextSize(badge.text.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + size.x + 2.2F * em, at.y + 1.65F * em};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, colour(p.text, 0.06F), 0.82F * em);
  list.AddRect(at, end, colour(p.strongLine), 0.82F * em);
  const ImVec2 dot{at.x + 0.85F * em, (at.y + end.y) / 2};
  const float r = 0.27F * em;
  // Shape tells the kind as well: full measured, ring interpreter, cross failed.
  if (badge.kind == session::Badge::Kind::measured)
    list.AddCircleFilled(dot, r, colour(p.category(2)));
  else if (badge.kind == session::Badge::Kind::failed) {
    list.AddLine({dot.x - r, dot.y - r}, {dot.x + r, dot.y + r}, colour(p.warning), 2);
    list.AddLine({dot.x - r, dot.y + r}, {dot.x + r, dot.y - r}, colour(p.warning), 2);
  } else
    list.AddCircle(dot, r, colour(p.text), 16, 1.5F);
  list.AddText({at.x + 1.45F * em, at.y + (end.y - at.y - size.y) / 2}, colour(p.text),
               badge.text.c_str());
  ImGui::Dummy({end.x - at.x, end.y - at.y});
  tooltip(context, badge.hover);
}

void drawBusy(const Context& context) {
  const session::Busy& busy = context.snapshot.busy;
  if (!busy.scene && !busy.measure && !busy.count) return;
  const std::string text = busy.stage.empty() ? "working…" : busy.stage;
  ImGui::SameLine(0, context.em);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.3F * context.em);
  muted(context, text);
}

float widthOf(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x +
         ImGui::GetStyle().ItemSpacing.x;
}

void drawButtons(const Context& context) {
  UiState& ui = context.ui;
  const std::string theme = std::string(nameOf(ui.theme)) + "##theme";
  float width = 1.2F * context.em - 2 * ImGui::GetStyle().ItemSpacing.x;
  for (const char* label : {"controls", "source", "measures", nameOf(ui.theme), "-", "+", "?"})
    width += widthOf(label);
  const float right = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x;
  ImGui::SameLine(std::max(ImGui::GetCursorPosX(), right - width));
  if (toggle(context, "controls", ui.isShown(Panel::controls))) togglePanel(ui, Panel::controls);
  tooltip(context, "Show or fold the controls (F2)");
  ImGui::SameLine();
  if (toggle(context, "source", ui.isShown(Panel::source))) togglePanel(ui, Panel::source);
  tooltip(context, "Show or fold source and step (F3)");
  ImGui::SameLine();
  if (toggle(context, "measures", ui.isShown(Panel::measures))) togglePanel(ui, Panel::measures);
  tooltip(context, "Show or fold the plots and tables (F4)");
  ImGui::SameLine(0, 1.2F * context.em);
  if (ImGui::Button(theme.c_str())) ui.theme = nextTheme(ui.theme);
  tooltip(context, "Next theme (T)");
  ImGui::SameLine();
  if (ImGui::Button("-")) {
    ui.scale = std::max(0.75F, ui.scale - 0.125F);
    ui.fontsStale = true;
  }
  tooltip(context, "Smaller type (-)");
  ImGui::SameLine();
  if (ImGui::Button("+")) {
    ui.scale = std::min(2.5F, ui.scale + 0.125F);
    ui.fontsStale = true;
  }
  tooltip(context, "Larger type, up to projector size (+)");
  ImGui::SameLine();
  if (ImGui::Button("?")) ui.help = !ui.help;
  tooltip(context, "Keys (F1)");
}

}  // namespace

void drawTopBar(const Context& context) {
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + 0.25F * context.em);
  ImGui::TextUnformatted("Tilestep");
  ImGui::PopFont();
  ImGui::SameLine(0, 1.2F * context.em);
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() - 0.25F * context.em);
  drawBadge(context);
  ImGui::SameLine(0, context.em);
  drawLessonMenu(context);
  drawBusy(context);
  drawButtons(context);
}

}  // namespace tilestep::ui
