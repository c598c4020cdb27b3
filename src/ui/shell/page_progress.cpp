// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {

void drawPageProgress(const Context& context) {
  PageProgress& progress = context.ui.pageProgress;
  if (!progress.shown) return;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float em = context.em, width = std::min(26 * em, 0.9F * screen.x);
  // Covers the window so that nothing else receives clicks.
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(screen);
  ImGui::SetNextWindowFocus();
  ImGui::PushStyleColor(ImGuiCol_WindowBg,
                        vector(gfx::withAlpha(context.palette.background, 0.7F)));
  ImGui::Begin(
      "##page cover", nullptr,
      ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleColor();
  ImGui::SetCursorPos({(screen.x - width) / 2, screen.y / 2 - 4 * em});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, vector(context.palette.surface));
  ImGui::BeginChild("page", {width, 10 * em}, true);
  ImGui::PopStyleColor();
  heading(context, ("Writing the " + progress.what).c_str());
  const float share = progress.all > 0 ? float(progress.done) / float(progress.all) : 0;
  const std::string text = progress.all > 0 ? "step " + std::to_string(progress.done + 1) + " of " +
                                                  std::to_string(progress.all)
                                            : "waiting for the first step";
  ImGui::PushStyleColor(ImGuiCol_PlotHistogram,
                        vector(gfx::mix(context.palette.surface, context.palette.text, 0.35F)));
  ImGui::ProgressBar(share, {-1, 0}, "");
  ImGui::PopStyleColor();
  muted(context, text);
  if (ImGui::Button("Stop")) progress.stop = true;
  tooltip(context, "Stops without writing anything (Esc)");
  hint(context, "Afterwards the window returns to its current step.");
  ImGui::EndChild();
  ImGui::End();
}

}  // namespace tilestep::ui
