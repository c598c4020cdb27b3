// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "ui/kit/widgets.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

struct KeyHelp {
  const char* keys;
  const char* what;
};

constexpr auto kKeys = std::to_array<KeyHelp>(
    {{"Space, Right", "next step"},
     {"Left", "step back"},
     {"Home, End", "first, last step"},
     {"J", "go to a step by its number"},
     {"P", "play or pause; on the live stage its launches (Delete clears them)"},
     {"Up, Down", "play faster, slower"},
     {"1, 2, 3, 4", "step by phase, epoch, access, the chosen thread's next event"},
     {"5 … 9, 0", "scene, roofline, live, sweeps, timeline, runs"},
     {"U, Y; comma, period",
      "sweeps: the next picture (the last: the ladder), what it shows; what varies"},
     {"Alt+arrows, Enter", "sweeps: walk over the points, go to one; Enter or C runs, cancels"},
     {"Shift+arrows",
      "choose a thread: its neighbour (a click on a cell does it, too); a plot's cursor"},
     {"E", "table of execution phases: threads against phases"},
     {"X", "the textbook's example: 4 × 4 with tiles of 2 × 2, and its table"},
     {"B", "take each barrier away in turn, and see what races; then none"},
     {"[ , ]", "first tunable: the next legal value below, above"},
     {"F6", "the best tunables that are known for this device and size"},
     {"A, Shift+A", "what stands beside the kernel: the next, the one before; nothing"},
     {"{ , }", "first tunable of the kernel beside it down, up"},
     {"H", "swap sides: the kernel and the one beside it"},
     {"+, -", "larger, smaller type (projector)"},
     {"T", "next theme: dark, light, high contrast"},
     {"F, Z", "fit the scene or the plot in its place, zoom to the chosen block"},
     {"Ctrl+±, Alt+arrows", "zoom (plus, minus) and move the scene, or the plot in its place"},
     {"comma, dot", "plot in the middle: upright axis, axis across, logarithmic or linear"},
     {"Ctrl+arrows", "choose a block: its neighbour"},
     {"M", "motion on or off"},
     {"G", "traffic: this phase, whole grid"},
     {"C", "count, or read hardware counters; cancels too"},
     {"S", "source: this kernel, the one beside it"},
     {"I", "PTX beside the source"},
     {"N, Shift+N", "next step, step before that ran the chosen line (a click chooses one)"},
     {"W", "threads, or one warp against sectors and banks"},
     {"R", "pad the tiles by one column, where the kernel can"},
     {"L; Page Up, Page Down", "open or close a lesson; its steps"},
     {"Q", "answer a lesson's question: type and Enter, or arrows and Space"},
     {"F2, F3, F4", "fold controls, source, measures"},
     {"Ctrl or Shift+F2…F4", "make that panel larger (Ctrl), smaller (Shift)"},
     {"F5", "presentation: large type, the scene and one plot; again: back"},
     {"V", "presentation: next plot or table"},
     {"O, K", "occupancy alone or among the rest; what it is plotted over"},
     {"D, Shift+D", "what if it ran on the next known device, or the one before"},
     {"U", "roofline: bring out the next level, or the one nearest to its roof"},
     {"Y", "pin this run: its figures are kept and compared"},
     {"F10", "menu: looks, panels, lessons, saving"},
     {"Tab",
      "go into the controls: Tab and arrows walk, Space presses, Ctrl+Tab next panel, Esc leaves"},
     {"Ctrl+Z, Ctrl+Y", "undo, redo"},
     {"Ctrl+C, Ctrl+S",
      "copy a view as text; save one as CSV, text, PNG, JSON, or a report of all (HTML)"},
     {"F12", "save a picture of the whole window (PNG)"},
     {"F1, ?", "this help; Esc closes it"}});

/// Width of a row that is not wrapped.
float rowWidth(const Context& context) {
  float keys = 0, words = 0;
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  for (const KeyHelp& key : kKeys) keys = std::max(keys, ImGui::CalcTextSize(key.keys).x);
  ImGui::PopFont();
  for (const KeyHelp& key : kKeys) words = std::max(words, ImGui::CalcTextSize(key.what).x);
  return keys + words + 2 * context.em;
}

void drawKeys(const Context& context) {
  for (const KeyHelp& key : kKeys) {
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

void drawHelp(const Context& context) {
  UiState& ui = context.ui;
  if (!ui.help) {
    ui.helpScroll = 0;
    return;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, padding = std::min(1.5F * em, 0.02F * screen.x);
  const float width =
      std::min(rowWidth(context) + 2 * padding + ImGui::GetStyle().ScrollbarSize, 0.96F * screen.x);
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
    drawKeys(context);
    ImGui::EndTable();
  }
  ImGui::Dummy({0, 0.2F * context.em});
  hint(context,
       "Mouse: wheel zooms a scene or a plot, dragging moves it, a click on P, a shared slot "
       "or Pvalue follows its thread, on another block of P chooses that block.");
  ui.helpTall = ImGui::GetScrollMaxY() > 0.5F * em;
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace tilestep::ui
