// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "model/text/step_text.h"
#include "ui/kit/panels.h"
#include "ui/kit/parts.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {

namespace {

const char* emptyText(const model::TracedStep* step) {
  if (step == nullptr) return "Each thread's part in the step is listed here.";
  if (!step->activity.sharedWrites.empty())
    return "A warp stores to shared memory what it loaded before.";
  if (step->tally.counters.barriers > 0)
    return "A barrier: a warp waits here until all warps of the block have arrived.";
  return "No thread touches memory in this step.";
}

}  // namespace

void drawThreads(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const bool companion = context.ui.companionSource && now.companion;
  const auto& lines = companion ? now.companionLines : now.mainLines;
  if (!companion && !now.stepText.empty()) hint(context, now.stepText);
  if (!lines || lines->empty()) {
    const auto& step = companion ? now.companion : now.main;
    hint(context, emptyText(step.get()));
    return;
  }
  compat::beginChild("threads", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  // The names are right-aligned, because their lengths differ in a wide block. The last thread's
  // name is the longest.
  const size_t longest = (*lines)[lines->size() - 1].name.size();
  const float letter = ImGui::CalcTextSize("0").x;
  const float indent = (static_cast<float>(longest) + 1) * letter;
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines->size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const model::ThreadLine& line = (*lines)[static_cast<size_t>(i)];
      ImGui::PushStyleColor(ImGuiCol_Text,
                            vector(gfx::inkOf(context.palette.warp(line.warp), context.palette)));
      ImGui::SetCursorPosX(ImGui::GetCursorPosX() +
                           static_cast<float>(longest - std::min(longest, line.name.size())) *
                               letter);
      ImGui::TextUnformatted(line.name.c_str());
      ImGui::PopStyleColor();
      if (ImGui::IsItemHovered())
        ImGui::SetTooltip("thread (tx, ty) = %s, warp %u", line.name.c_str(), line.warp);
      ImGui::SameLine(indent);
      ImGui::TextUnformatted(line.text.c_str());
    }
  }
  ImGui::PopFont();
  ImGui::EndChild();
}

void drawStep(const Context& context) {
  UiState& ui = context.ui;
  const float gap = 0.15F * context.em;
  const auto tab = [&](const char* name, bool on, const char* hover) {
    const bool clicked = toggle(context, name, on);
    tooltip(context, hover);
    if (clicked) ui.warpView = ui.threadView = ui.ptxView = false;
    return clicked;
  };
  const bool other = ui.threadView || ui.ptxView;
  tab("Block", !ui.warpView && !other, "Each thread's part in this step (W)");
  ImGui::SameLine(0, gap);
  if (tab("Warp", ui.warpView && !other,
          "One warp instruction: its lanes against sectors or banks (W)"))
    ui.warpView = true;
  ImGui::SameLine(0, gap);
  if (tab("Thread", ui.threadView && !ui.ptxView,
          "One thread from its first load to its result. A click on a cell of P, of a shared tile "
          "or of Pvalue chooses the thread; Shift with an arrow key chooses a neighbour.")) {
    ui.threadView = true;
    if (!context.snapshot.choice.thread)
      context.session.apply(model::command("threads.choose", Dim3{0, 0, 0}));
  }
  ImGui::SameLine(0, gap);
  if (tab("PTX", ui.ptxView, "The instructions of the main kernel next to its source (I)"))
    ui.ptxView = true;
  const bool saved = ui.save.open && ui.save.view == "ptx";
  context.session.apply(model::command("source.ptx", ui.ptxView || saved));
  if (ui.ptxView) return drawPart(Part::ptx, context);
  if (ui.threadView) return drawPart(Part::thread, context);
  ui.warpView ? drawPart(Part::warp, context) : drawThreads(context);
}

}  // namespace tilestep::ui
