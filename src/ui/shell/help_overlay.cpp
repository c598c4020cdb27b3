// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "features/panel_registry.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

constexpr auto kFirst = std::to_array<KeyHelp>(
    {{"Space, Right", "next step"},
     {"Left", "step back"},
     {"Home, End", "first, last step"},
     {"J", "go to a step by its number"},
     {"P", "play or pause; on the live stage its launches (Delete clears them)"},
     {"Up, Down", "play faster, slower"},
     {"1, 2, 3, 4", "step by phase, epoch, access, the chosen thread's next event"},
     {"5 … 9, 0", "scene, roofline, live, sweeps, timeline, runs"},
     {"Ctrl+arrows", "choose the neighbouring block"},
     {"Ctrl+K", "find a kernel, lesson, view, device or command by its name"}});
constexpr auto kLast = std::to_array<KeyHelp>(
    {{"+, -", "larger, smaller type (projector)"},
     {"T", "next theme: dark, light, high contrast"},
     {"F, Z", "fit the scene or plot; zoom to the chosen block"},
     {"Ctrl+±, Alt+arrows", "zoom (plus, minus) and move the scene or plot"},
     {"comma, period", "plot: y axis, x axis logarithmic or linear"},
     {"M", "motion on or off"},
     {"C", "count, or read hardware counters; cancels too"},
     {"F2, F3, F4", "fold controls, source, measures"},
     {"Ctrl or Shift+F2…F4", "make that panel larger (Ctrl), smaller (Shift)"},
     {"F5", "presentation: large type, the scene and one plot; press again to return"},
     {"V", "presentation: next plot or table"},
     {"F10", "menu: appearance, panels, lessons, saving"},
     {"Tab",
      "keyboard navigation: Tab and arrows move, Space presses, Ctrl+Tab next panel, Esc leaves"},
     {"Ctrl+Z, Ctrl+Y", "undo, redo"},
     {"Ctrl+C, Ctrl+S",
      "copy a view as text; save one as PNG, SVG, PDF, CSV, text or JSON, all steps as pictures, a "
      "PDF or a web page, or a full report"},
     {"F12", "save a picture of the whole window (PNG)"},
     {"F1, ?", "this help; Esc closes it"}});

/// The width of a row that is not wrapped.
float rowWidth(const Context& context, const std::vector<KeyHelp>& all) {
  float keys = 0, words = 0;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  for (const KeyHelp& key : all) keys = std::max(keys, ImGui::CalcTextSize(key.keys).x);
  ImGui::PopFont();
  for (const KeyHelp& key : all) words = std::max(words, ImGui::CalcTextSize(key.what).x);
  return keys + words + 2 * context.em;
}

void drawKeys(const Context& context, const std::vector<KeyHelp>& all) {
  for (const KeyHelp& key : all) {
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
    ImGui::TextUnformatted(key.keys);
    ImGui::PopFont();
    ImGui::TableNextColumn();
    wrapped(key.what);
  }
}

}  // namespace

std::vector<KeyHelp> allKeys() {
  std::vector<KeyHelp> keys(kFirst.begin(), kFirst.end());
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    for (const KeyHelp& key : feature->keys()) keys.push_back(key);
  keys.insert(keys.end(), kLast.begin(), kLast.end());
  return keys;
}

void drawHelp(const Context& context) {
  UiState& ui = context.ui;
  if (!ui.help) {
    ui.helpScroll = 0;
    return;
  }
  const std::vector<KeyHelp> all = allKeys();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, padding = std::min(1.5F * em, 0.02F * screen.x);
  const float width = std::min(
      rowWidth(context, all) + 2 * padding + ImGui::GetStyle().ScrollbarSize, 0.96F * screen.x);
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
  ImGui::SetNextWindowSizeConstraints({width, 0}, {width, 0.96F * screen.y});
  ImGui::SetNextWindowFocus();
  const ImGuiWindowFlags flags = (ui.helpTall ? 0 : ImGuiWindowFlags_NoScrollbar) |
                                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                 ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoCollapse |
                                 ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 1);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {padding, 0.8F * em});
  ImGui::Begin("##help", nullptr, flags);
  if (ui.helpScroll != 0) ImGui::SetScrollY(ImGui::GetScrollY() + ui.helpScroll * 1.5F * em);
  ui.helpScroll = 0;
  heading(context, "Keys", ui.helpTall ? "Up, Down scroll" : "");
  if (ImGui::BeginTable("keys", 2)) {
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed);
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
    drawKeys(context, all);
    ImGui::EndTable();
  }
  ImGui::Dummy({0, 0.2F * context.em});
  hint(context,
       "Mouse: the wheel zooms, dragging pans; clicking an element of P, a shared slot or Pvalue "
       "follows its thread; clicking another block of P chooses it.");
  ui.helpTall = ImGui::GetScrollMaxY() > 0.5F * em;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
