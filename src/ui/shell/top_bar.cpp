// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/appearances.h"
#include "ui/shell/layout.h"
#include "ui/shell/open_dialog.h"
#include "ui/shell/palette.h"

namespace tilestep::ui {
namespace {

/// The source of the displayed data. A program's view always comes from the interpreter, whichever
/// device the kernels use.
model::Badge badgeOf(const Context& context) {
  if (context.ui.stage != Stage::program) return context.snapshot.badge;
  return {model::Badge::Kind::interpreter, "programs: interpreter",
          "The window runs programs on the interpreter, which counts exactly but measures no time. "
          "The command for a GPU is: tilestep run FILE.cu --device cuda:0"};
}

float badgeWidth(const Context& context) {
  return ImGui::CalcTextSize(badgeOf(context).text.c_str()).x + 2.2F * context.em;
}

/// Text wider than `width` is cut.
void drawBadge(const Context& context, float width) {
  const model::Badge badge = badgeOf(context);
  const gfx::Palette& p = context.palette;
  const float em = context.em;
  const std::string text = cutTo(badge.text, width - 2.2F * em);
  const ImVec2 size = ImGui::CalcTextSize(text.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end{at.x + size.x + 2.2F * em, at.y + 1.65F * em};
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, end, colour(p.text, 0.06F), 0.82F * em);
  list.AddRect(at, end, colour(p.strongLine), 0.82F * em);
  const ImVec2 dot{at.x + 0.85F * em, (at.y + end.y) / 2};
  const float r = 0.27F * em;
  // The shape also shows the kind: disc measured, square recorded, ring interpreter, cross failed.
  if (badge.kind == model::Badge::Kind::measured)
    list.AddCircleFilled(dot, r, colour(p.category(2)));
  else if (badge.kind == model::Badge::Kind::recorded)
    list.AddRectFilled({dot.x - r, dot.y - r}, {dot.x + r, dot.y + r}, colour(p.category(2)));
  else if (badge.kind == model::Badge::Kind::failed) {
    list.AddLine({dot.x - r, dot.y - r}, {dot.x + r, dot.y + r}, colour(p.warning), 2);
    list.AddLine({dot.x - r, dot.y + r}, {dot.x + r, dot.y - r}, colour(p.warning), 2);
  } else
    list.AddCircle(dot, r, colour(p.text), 16, 1.5F);
  list.AddText({at.x + 1.45F * em, at.y + (end.y - at.y - size.y) / 2}, colour(p.text),
               text.c_str());
  if (ImGui::InvisibleButton("badge", {end.x - at.x, end.y - at.y})) ImGui::OpenPopup("devices");
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  tooltip(context, (text == badge.text ? badge.hover : badge.text + "\n" + badge.hover) +
                       "\nA click chooses another device.");
  if (!ImGui::BeginPopup("devices")) return;
  drawDeviceItems(context);
  ImGui::EndPopup();
}

void drawBusy(const Context& context, float room) {
  const model::Busy& busy = context.snapshot.busy;
  if (!busy.scene && !busy.measure && !busy.count) return;
  const std::string text = busy.stage.empty() ? "working…" : busy.stage;
  if (ImGui::CalcTextSize(text.c_str()).x + context.em > room) return;
  ImGui::SameLine(0, context.em);
  ImGui::AlignTextToFramePadding();
  muted(context, text);
}

float topButtonWidth(const char* label) {
  return ImGui::CalcTextSize(label).x + 2 * ImGui::GetStyle().FramePadding.x +
         ImGui::GetStyle().ItemSpacing.x;
}

void drawDensityButton(const Context& context) {
  if (toggle(context, "show all", context.ui.density == model::Density::full))
    toggleDensity(context.ui);
  tooltip(context, "All controls, plots, tables and views (F8)");
  ImGui::SameLine();
}

void drawPanelButtons(const Context& context) {
  struct Entry {
    Panel panel;
    const char *name, *hover;
  };
  constexpr std::array<Entry, kPanels> kEntries{
      {{Panel::controls, "controls", "Show or fold the controls (F2)"},
       {Panel::source, "source", "Show or fold source and step (F3)"},
       {Panel::measures, "measures", "Show or fold the plots and tables (F4)"}}};
  for (const Entry& entry : kEntries) {
    if (toggle(context, entry.name, context.ui.isShown(entry.panel)))
      togglePanel(context.ui, entry.panel);
    tooltip(context, entry.hover);
    ImGui::SameLine();
  }
  ImGui::SameLine(0, 1.2F * context.em);
}

void drawLookButtons(const Context& context) {
  UiState& ui = context.ui;
  const std::string theme = std::string(nameOf(ui.theme)) + "##theme";
  if (ImGui::Button(theme.c_str())) ui.theme = nextTheme(ui.theme);
  tooltip(context,
          "Next theme (T). Okabe–Ito colours, distinguishable with red-green colour blindness.");
  ImGui::SameLine();
  if (ImGui::Button("-")) stepScale(ui, -1);
  tooltip(context, "Smaller type (-)");
  ImGui::SameLine();
  if (ImGui::Button("+")) stepScale(ui, +1);
  tooltip(context, "Larger type, up to projector size (+): now " + percentOf(ui.shownScale));
  ImGui::SameLine();
}

/// The parts that fit into the bar. The menu contains all of them.
struct TopFits {
  bool name = true, density = true, panels = true, looks = true, lessons = true;
  float badge = 0;  ///< The width left for the badge, in pixels.
};

TopFits topFitsOf(const Context& context, float badge) {
  const float em = context.em;
  const float panels = topButtonWidth("controls") + topButtonWidth("source") +
                       topButtonWidth("measures") + 1.2F * em;
  const float density = topButtonWidth("show all");
  const float looks =
      topButtonWidth(nameOf(context.ui.theme)) + topButtonWidth("-") + topButtonWidth("+");
  const float name = ImGui::CalcTextSize("Tilestep").x + 1.6F * em;
  const float lessons = context.snapshot.shown.hasLessons ? topButtonWidth("learn") + em : 0;
  float room = ImGui::GetContentRegionAvail().x - topButtonWidth("open") - topButtonWidth("find") -
               topButtonWidth("menu") - topButtonWidth("?") - em;
  room -= badge + density + panels + looks + name + lessons;
  TopFits fits;
  // Drops parts one by one until the rest fits.
  const auto drop = [&room](bool& part, float width) {
    if (room >= 0 || !part) return;
    part = false;
    room += width;
  };
  if (context.ui.presenting) {  // In a presentation, the menu and keys replace these parts.
    fits.density = fits.panels = fits.looks = false;
    room += density + panels + looks;
  } else if (context.ui.inLessonDensity()) {
    fits.panels = false;
    room += panels;
  }
  drop(fits.panels, panels);
  drop(fits.looks, looks);
  drop(fits.density, density);
  drop(fits.name, name);
  drop(fits.lessons, lessons);
  fits.badge = badge + std::min(room, 0.0F);
  return fits;
}

void drawButtons(const Context& context, const TopFits& fits, float right) {
  UiState& ui = context.ui;
  float width = topButtonWidth("open") + topButtonWidth("find") + topButtonWidth("menu") +
                topButtonWidth("?") - ImGui::GetStyle().ItemSpacing.x;
  if (fits.density) width += topButtonWidth("show all");
  if (fits.panels)
    width += topButtonWidth("controls") + topButtonWidth("source") + topButtonWidth("measures") +
             1.2F * context.em - ImGui::GetStyle().ItemSpacing.x;
  if (fits.looks)
    width += topButtonWidth(nameOf(ui.theme)) + topButtonWidth("-") + topButtonWidth("+");
  ImGui::SameLine(std::max(ImGui::GetCursorPosX(), right - width));
  if (fits.density) drawDensityButton(context);
  if (fits.panels) drawPanelButtons(context);
  if (fits.looks) drawLookButtons(context);
  if (ImGui::Button("open")) toggleOpenDialog(ui);
  tooltip(context, "Opens a CUDA program of yours (Ctrl+O); a file can also be dropped here");
  ImGui::SameLine();
  if (ImGui::Button("find")) togglePalette(ui);
  tooltip(context, "Finds kernels, lessons, views, devices and commands by name (Ctrl+K)");
  ImGui::SameLine();
  if (ImGui::Button("menu")) ui.menuWished = true;
  tooltip(context, "Appearance, panels, lessons, saving (F10)");
  drawMenu(context);
  ImGui::SameLine();
  if (ImGui::Button("?")) ui.help = !ui.help;
  tooltip(context, "Keys (F1)");
}

}  // namespace

void drawTopBar(const Context& context) {
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const TopFits fits = topFitsOf(context, badgeWidth(context));
  if (fits.name) {
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("Tilestep");
    ImGui::PopFont();
    ImGui::SameLine(0, 1.2F * context.em);
  }
  if (fits.lessons && context.snapshot.shown.hasLessons) {
    if (ImGui::Button("learn")) context.ui.course.openList();
    if (!context.ui.course.open)
      tooltip(
          context,
          "Lessons, labs and exercises, in the order of a course. L opens the first lesson that is "
          "not finished, or closes the open one.");
    ImGui::SameLine(0, context.em);
  }
  drawBadge(context, fits.badge);  // Last, so that its text moves no other part.
  ImGui::SameLine();
  drawBusy(context, fits.looks && fits.panels ? 0.25F * right : 0);
  drawButtons(context, fits, right);
}

}  // namespace tilestep::ui
