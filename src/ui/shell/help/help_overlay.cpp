// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "features/panel_registry.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help/help.h"

namespace tilestep::ui {
namespace {

constexpr std::array<const char*, kKeyGroups> kTitles{"Steps",
                                                      "What is shown and compared",
                                                      "Scene, source and threads",
                                                      "Cube",
                                                      "Roofline and live (plots)",
                                                      "Sweeps",
                                                      "Timeline",
                                                      "Lessons",
                                                      "Window and files"};

constexpr auto kOwnKeys = std::to_array<KeyHelp>(
    {{"Space, Right", "next step; after the last one the next block", KeyGroup::steps},
     {"Left", "step back", KeyGroup::steps},
     {"Home, End", "first, last step", KeyGroup::steps},
     {"J", "go to a step by its number", KeyGroup::steps},
     {"P", "play or pause", KeyGroup::steps},
     {"Up, Down", "play faster, slower", KeyGroup::steps},
     {"1, 2, 3, 4", "step by phase, epoch, access, the chosen thread's next event",
      KeyGroup::steps},
     {"M", "motion on or off", KeyGroup::steps},
     {"5 … 9, 0", "scene, roofline, live, sweeps, timeline, runs", KeyGroup::choice},
     {"C", "count, or read hardware counters; press again to cancel", KeyGroup::choice},
     {"Ctrl+arrows", "choose the neighbouring block", KeyGroup::scene},
     {"F, Z", "fit the scene; zoom to the chosen block", KeyGroup::scene},
     {"Ctrl+±, Alt+arrows", "zoom (plus, minus) and move the scene", KeyGroup::scene},
     {"F", "fit the plot", KeyGroup::plots},
     {"Ctrl+±, Alt+arrows", "zoom (plus, minus) and move the plot", KeyGroup::plots},
     {"Shift+arrows", "move the plot's cursor", KeyGroup::plots},
     {"comma, period", "y axis, x axis logarithmic or linear", KeyGroup::plots},
     {"P, Delete", "live: pause or resume the launches; clear them", KeyGroup::plots},
     {"F, Z", "show all blocks; zoom to the chosen block", KeyGroup::timeline},
     {"Ctrl+±, Alt+arrows", "zoom (plus, minus) and move the picture", KeyGroup::timeline},
     {"Ctrl+arrows, Enter", "choose a block of the launch; trace it in the scene",
      KeyGroup::timeline},
     {"Ctrl+K", "find a kernel, lesson, view, device or command by its name", KeyGroup::window},
     {"F1, ?", "this help; Esc closes it", KeyGroup::window},
     {"F2, F3, F4", "fold controls, source, measures", KeyGroup::window, true},
     {"Ctrl or Shift+F2…F4", "make that panel larger (Ctrl), smaller (Shift)", KeyGroup::window,
      true},
     {"F5", "presentation: large type, the scene and one plot; press again to return",
      KeyGroup::window},
     {"V", "presentation: next plot or table", KeyGroup::window},
     {"F7", "the marks of the open view, and a glossary with small pictures", KeyGroup::window},
     {"F8", "show all controls, plots and tables, or few of them", KeyGroup::window, true},
     {"F9", "the first minute: what is compared, by how much it differs, and why",
      KeyGroup::window},
     {"F10", "menu: appearance, panels, lessons, saving", KeyGroup::window},
     {"+, -", "larger, smaller type (projector)", KeyGroup::window},
     {"T", "next theme: dark, light, high contrast", KeyGroup::window},
     {"Tab",
      "keyboard navigation: Tab and arrows move, Space presses, Ctrl+Tab next panel, Esc leaves",
      KeyGroup::window},
     {"Ctrl+Z, Ctrl+Y", "undo, redo", KeyGroup::window},
     {"Ctrl+C, Ctrl+S",
      "copy a view as text; save one as PNG, SVG, PDF, CSV, text or JSON, all steps as pictures, a "
      "PDF or a web page, or a full report",
      KeyGroup::window},
     {"F12", "save a picture of the whole window (PNG)", KeyGroup::window}});

float keysWidth(const Context& context, const std::vector<KeyHelp>& all) {
  float keys = 0;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  for (const KeyHelp& key : all) keys = std::max(keys, ImGui::CalcTextSize(key.keys).x);
  ImGui::PopFont();
  return keys;
}

float rowWidth(const Context& context, const std::vector<KeyHelp>& all) {
  float words = 0;
  for (const KeyHelp& key : all) words = std::max(words, ImGui::CalcTextSize(key.what).x);
  return keysWidth(context, all) + words + 2 * context.em;
}

void drawLine(const KeyHelp& key, const Context& context) {
  ImGui::TableNextRow();
  ImGui::TableNextColumn();
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGui::TextUnformatted(key.keys);
  ImGui::PopFont();
  ImGui::TableNextColumn();
  wrapped(key.what);
}

/// Draws the groups one below the other, with key columns of `keys` pixels.
void drawGroups(const Context& context, const std::vector<KeyHelp>& all, float keys) {
  for (size_t i = 0; i < kKeyGroups; ++i) {
    heading(context, kTitles[i]);
    if (!ImGui::BeginTable(kTitles[i], 2)) continue;
    ImGui::TableSetupColumn("keys", ImGuiTableColumnFlags_WidthFixed, keys);
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthStretch);
    for (const KeyHelp& key : all)
      if (key.group == static_cast<KeyGroup>(i)) drawLine(key, context);
    ImGui::EndTable();
    ImGui::Dummy({0, 0.3F * context.em});
  }
}

}  // namespace

std::vector<KeyHelp> allKeys() {
  std::vector<KeyHelp> keys(kOwnKeys.begin(), kOwnKeys.end());
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    for (const KeyHelp& key : feature->keys()) keys.push_back(key);
  std::ranges::stable_sort(keys, {}, &KeyHelp::group);
  return keys;
}

void drawHelp(const Context& context) {
  UiState& ui = context.ui;
  if (!ui.help) {
    ui.helpScroll = 0;
    return;
  }
  std::vector<KeyHelp> all = allKeys();
  if (ui.presenting) std::erase_if(all, &KeyHelp::ofPanel);
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
  drawGroups(context, all, keysWidth(context, all));
  ImGui::Dummy({0, 0.2F * context.em});
  hint(context,
       "Mouse: the wheel zooms, dragging pans; clicking an element of P, a shared slot or Pvalue "
       "follows its thread; clicking another block of P chooses it.");
  ui.helpTall = ImGui::GetScrollMaxY() > 0.5F * em;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
