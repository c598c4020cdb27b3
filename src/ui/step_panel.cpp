// SPDX-License-Identifier: Apache-2.0
#include "session/step_text.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace tilestep::ui {

namespace {

const char* emptyText(const session::SideStep* step) {
  if (step == nullptr) return "Each thread's part in the step is listed here.";
  if (!step->activity.sharedWrites.empty())
    return "A warp stores to shared memory what it loaded before.";
  if (step->tally.counters.barriers > 0)
    return "A barrier: a warp waits here until all warps of the block have come.";
  return "No thread touches memory in this step.";
}

void drawThreads(const Context& context) {
  const session::Snapshot& now = context.snapshot;
  const bool companion = context.ui.companionSource && now.companion;
  const auto& lines = companion ? now.companionLines : now.mainLines;
  if (!companion && !now.barrierText.empty()) hint(context, now.barrierText);
  if (!lines || lines->empty()) {
    const auto& step = companion ? now.companion : now.main;
    hint(context, emptyText(step.get()));
    return;
  }
  compat::beginChild("threads", {0, 0}, false, ImGuiWindowFlags_HorizontalScrollbar);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(lines->size()));
  while (clipper.Step()) {
    for (int i = clipper.DisplayStart; i < clipper.DisplayEnd; ++i) {
      const session::ThreadLine& line = (*lines)[static_cast<size_t>(i)];
      ImGui::PushStyleColor(ImGuiCol_Text,
                            vector(context.palette.category(static_cast<int>(line.warp))));
      ImGui::TextUnformatted(line.name.c_str());
      ImGui::PopStyleColor();
      if (ImGui::IsItemHovered())
        ImGui::SetTooltip("thread (tx, ty) = %s, warp %u", line.name.c_str(), line.warp);
      ImGui::SameLine(4.6F * context.em);
      ImGui::TextUnformatted(line.text.c_str());
    }
  }
  ImGui::PopFont();
  ImGui::EndChild();
}

}  // namespace

void drawStep(const Context& context) {
  bool& warp = context.ui.warpView;
  bool& thread = context.ui.threadView;
  const float gap = 0.15F * context.em;
  if (toggle(context, "Who does what", !warp && !thread)) warp = thread = false;
  tooltip(context, "Each thread's part in this step (W)");
  ImGui::SameLine(0, gap);
  if (toggle(context, "Warp", warp && !thread)) {
    warp = true;
    thread = false;
  }
  tooltip(context, "One warp instruction: its lanes against sectors or banks (W)");
  ImGui::SameLine(0, gap);
  if (toggle(context, "Thread", thread)) {
    thread = true;
    if (!context.snapshot.choice.thread) context.session.chooseThread(Dim3{0, 0, 0});
  }
  tooltip(context,
          "One thread from its first load to its result (a click on a cell of P, of a shared tile "
          "or of Pvalue chooses it; Shift and arrow keys move on)");
  if (thread) return drawThread(context);
  warp ? drawWarp(context) : drawThreads(context);
}

}  // namespace tilestep::ui
