// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ui/kit/panels.h"
#include "ui/kit/parts.h"
#include "ui/kit/widgets.h"
#include "ui/shell/appearances.h"
#include "ui/shell/help/glossary.h"
#include "ui/shell/keys.h"
#include "ui/shell/layout.h"
#include "ui/shell/open_dialog.h"
#include "ui/shell/saving/save_dialog.h"

namespace tilestep::ui {
namespace {

void panelItem(const Context& context, const char* name, const char* key, Panel panel) {
  if (ImGui::MenuItem(name, key, context.ui.isShown(panel))) togglePanel(context.ui, panel);
}

void themeItem(const Context& context, const char* name, Theme theme) {
  const bool chosen = context.ui.theme == theme;
  if (ImGui::MenuItem(name, chosen ? nullptr : "T: next", chosen)) context.ui.theme = theme;
}

void drawScales(const Context& context) {
  UiState& ui = context.ui;
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted("Type");
  ImGui::SameLine();
  if (ImGui::Button("-")) stepScale(ui, -1);
  tooltip(context, "Smaller type (-)");
  ImGui::SameLine();
  if (ImGui::Button("+")) stepScale(ui, +1);
  tooltip(context, "Larger type (+)");
  ImGui::SameLine();
  muted(context, percentOf(ui.shownScale));
}

void drawView(const Context& context) {
  UiState& ui = context.ui;
  for (size_t i = 0; i < model::kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (stage == Stage::exercises) continue;  // It is in the learning section.
    const std::string key(keyOf(stage));
    if (ImGui::MenuItem(std::string(nameOf(stage)).c_str(), key.c_str(), ui.stage == stage))
      ui.stage = stage;
  }
}

void drawWindow(const Context& context) {
  UiState& ui = context.ui;
  if (ImGui::MenuItem("Presentation", "F5", ui.presenting)) togglePresentation(ui);
  if (ImGui::MenuItem("Show all controls, plots and tables", "F8",
                      ui.density == model::Density::full))
    toggleDensity(ui);
  panelItem(context, "Controls", "F2", Panel::controls);
  panelItem(context, "Source and step", "F3", Panel::source);
  panelItem(context, "Plots and tables", "F4", Panel::measures);
  if (ui.presenting && ImGui::MenuItem("Next plot", "V")) ui.goToNextPlot();
  if (ImGui::MenuItem("Occupancy alone", "O", ui.showsOccupancyAlone())) ui.toggleOccupancyAlone();
  ImGui::Separator();
  if (ImGui::MenuItem("Fit the scene", "F", !ui.cameraMoved)) ui.cameraMoved = false;
  if (ImGui::MenuItem("Motion", "M", ui.motion)) ui.motion = !ui.motion;
}

void drawLook(const Context& context) {
  themeItem(context, "Dark", Theme::dark);
  themeItem(context, "Light", Theme::light);
  themeItem(context, "High contrast", Theme::highContrast);
  hint(context, "Okabe–Ito colours, distinguishable with red-green colour blindness.");
  drawScales(context);
}

void drawEdit(const Context& context) {
  UiState& ui = context.ui;
  if (ImGui::MenuItem("Undo", "Ctrl+Z", false, context.snapshot.canUndo)) context.session.undo();
  if (ImGui::MenuItem("Redo", "Ctrl+Y", false, context.snapshot.canRedo)) context.session.redo();
  const std::string copy = "Copy as text: " + model::nameOfTable(ui.save.view, context.snapshot);
  if (ImGui::MenuItem(copy.c_str(), "Ctrl+C")) copyView(ui, context.session);
  if (ImGui::MenuItem("Copy or save a view…", "Ctrl+S")) toggleSaveDialog(ui, context.snapshot);
  if (ImGui::MenuItem("Save a picture of the window", "F12"))
    ui.wish = SaveWish{SaveAs::window, freeName("window", ".png"), {}, false};
}

void drawKernelItems(const Context& context) {
  if (ImGui::MenuItem("Compare with the next kernel", "A"))
    context.session.apply(model::command("comparison.next", true));
  if (ImGui::MenuItem("Swap sides", "H", false, context.snapshot.shown.companion))
    context.session.apply(model::command("comparison.swap"));
  if (ImGui::MenuItem("Copy this kernel as a program"))
    context.session.apply(model::command("program.copy_kernel"));
  ImGui::AlignTextToFramePadding();
  muted(context, "What if it ran on another device (D)");
  ImGui::PushItemWidth(14 * context.em);
  drawPart(Part::whatIf, context);
  ImGui::PopItemWidth();
}

void drawHelpItems(const Context& context) {
  UiState& ui = context.ui;
  if (ImGui::MenuItem("Keys", "F1", ui.help)) ui.help = !ui.help;
  if (ImGui::MenuItem("Legend and words", "F7", ui.glossary.open)) toggleGlossary(ui);
  if (ImGui::MenuItem("The first minute", "F9")) beginFirstMinute(context.session, ui);
}

void drawItems(const Context& context) {
  UiState& ui = context.ui;
  if (ImGui::MenuItem("Learn: lessons, labs, exercises")) ui.course.openList();
  if (ImGui::MenuItem("Open a program…", "Ctrl+O")) toggleOpenDialog(ui);
  ImGui::Separator();
  struct Group {
    const char* name;
    void (*draw)(const Context&);
  };
  constexpr std::array<Group, 6> kGroups{{{"View", drawView},
                                          {"Kernel", drawKernelItems},
                                          {"Window", drawWindow},
                                          {"Colours and type", drawLook},
                                          {"Edit and save", drawEdit},
                                          {"Help", drawHelpItems}}};
  for (const Group& group : kGroups) {
    if (!ImGui::BeginMenu(group.name)) continue;
    group.draw(context);
    ImGui::EndMenu();
  }
  ImGui::Separator();
  const bool hints = context.snapshot.shown.onlyHints;
  if (ImGui::MenuItem("Programs: show hints instead of changes", nullptr, hints))
    context.session.apply(model::command("program.only_hints", !hints));
}

}  // namespace

void drawMenu(const Context& context) {
  if (context.ui.menuWished) {
    const ImVec2 button = ImGui::GetItemRectMax();
    ImGui::SetNextWindowPos({button.x, button.y + 0.4F * context.em}, ImGuiCond_Always, {1, 0});
    ImGui::OpenPopup("menu");
  }
  context.ui.menuWished = false;
  if (!ImGui::BeginPopup("menu")) return;
  drawItems(context);
  ImGui::EndPopup();
}

}  // namespace tilestep::ui
