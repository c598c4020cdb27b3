// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "features/threads/view.h"
#include "model/text/step_text.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// One line of the view: a muted label, then text from `indent` on, cut off at the panel's edge.
void row(const Context& context, float indent, const char* word, const std::string& text,
         bool now = false) {
  if (text.empty()) return;
  muted(context, word);
  ImGui::SameLine(indent);
  compat::pushFont(context.fonts.mono, compat::sizeOf(context.fonts.mono));
  const float width = ImGui::GetContentRegionAvail().x;
  if (now) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - 0.25F * context.em, at.y},
                                              {at.x - 0.1F * context.em, at.y + context.em},
                                              colour(context.palette.accent));
  }
  clipped(text, width);
  ImGui::PopFont();
}

void drawHead(const Context& context, const ThreadView& view) {
  ImGui::PushStyleColor(ImGuiCol_Text,
                        vector(gfx::inkOf(context.palette.warp(view.warp), context.palette)));
  compat::pushFont(context.fonts.strong, context.fonts.textPixels);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(("thread " + view.name).c_str());
  ImGui::PopFont();
  ImGui::PopStyleColor();
  tooltip(context, "(tx, ty). Shift+arrows choose a neighbouring thread.");
  ImGui::SameLine();
  const bool readOnly = context.ui.readOnly;
  const float width =
      readOnly ? 0 : ImGui::CalcTextSize("unfollow").x + 2 * ImGui::GetStyle().FramePadding.x;
  const float room = ImGui::GetContentRegionAvail().x - width - 1.5F * context.em;
  if (room > 3 * context.em) {
    ImGui::PushStyleColor(ImGuiCol_Text, vector(context.palette.mutedText));
    clipped((view.makes.empty() ? std::string() : "makes " + view.makes + " · ") + "warp " +
                std::to_string(view.warp) + ", lane " + std::to_string(view.lane),
            room);
    ImGui::PopStyleColor();
    ImGui::SameLine();
  }
  if (readOnly) return ImGui::NewLine();
  ImGui::SameLine(ImGui::GetWindowWidth() - width - 0.8F * context.em);
  if (ImGui::SmallButton("unfollow")) {
    context.session.apply(model::command("threads.choose", std::nullopt));
    context.ui.threadView = false;
  }
  tooltip(context, "Stops following this thread");
}

/// Draws the chosen thread: inputs, outputs, its work in this phase, and its position.
void drawThread(const Context& context) {
  const model::Snapshot& now = context.snapshot;
  const bool companion = context.ui.companionSource && now.companion;
  const auto& view = companion ? now.view<ThreadsView>().companion : now.view<ThreadsView>().main;
  if (!view) {
    hint(context, "Click a cell of P, of a shared tile or of Pvalue to follow its thread.");
    return;
  }
  compat::beginChild("thread", {0, 0}, false);
  drawHead(context, *view);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0.5F * context.em, 0.12F * context.em});
  const std::string phase = view->phase.empty() ? "loads" : "loads, " + view->phase;
  const float widest =
      std::max(ImGui::CalcTextSize(phase.c_str()).x, ImGui::CalcTextSize(view->sumName.c_str()).x);
  const float indent = std::max(widest + context.em, 5.2F * context.em);
  row(context, indent, "now", view->doing, true);
  row(context, indent, view->sumName.c_str(), view->sum);
  row(context, indent, phase.c_str(), model::joined(view->loads, "   "));
  row(context, indent, "gains", model::joined(view->gains));
  row(context, indent, "reads", view->reads);
  row(context, indent, "next", view->next);
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

/// Draws a tick for each of the chosen thread's events, unless there are too many to distinguish.
void drawThreadMarks(const Context& context) {
  const auto& marks = context.snapshot.view<ThreadsView>().marks;
  const ImVec2 at = ImGui::GetItemRectMin(), end = ImGui::GetItemRectMax();
  const float width = end.x - at.x;
  if (!marks || static_cast<float>(marks->size()) * 3 > width) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float tick = 0.35F * context.em;
  for (const double share : *marks) {
    const float x = std::round(at.x + width * static_cast<float>(share));
    list.AddLine({x, end.y - tick}, {x, end.y}, colour(context.palette.chosen, 0.9F), 1.5F);
  }
}

}  // namespace
}  // namespace tilestep::features

namespace tilestep::features::threads {
namespace {

using nlohmann::json;

json stateOf(const std::shared_ptr<const ThreadView>& view) {
  if (!view) return nullptr;
  return {{"name", view->name},   {"warp", view->warp},   {"lane", view->lane},
          {"makes", view->makes}, {"reads", view->reads}, {"loads", view->loads},
          {"gains", view->gains}, {"sum", view->sum},     {"line", view->line},
          {"doing", view->doing}, {"next", view->next}};
}

class ThreadsPanel : public FeaturePanel {
 public:
  [[nodiscard]] PartDrawers parts() const override {
    return {{Part::thread, drawThread}, {Part::threadMarks, drawThreadMarks}};
  }
  [[nodiscard]] bool isMade(std::string_view view, const model::Snapshot& now) const override {
    return view != "thread" || now.view<ThreadsView>().main != nullptr;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Shift+arrows", "choose a neighbouring thread (or click a cell)", KeyGroup::scene}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& ui) const override {
    switch (text) {
      case U'4':
        session.apply(model::command("threads.step"));
        ui.threadView = true;
        ui.ptxView = false;
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<ThreadsView>();
    to["thread"] = stateOf(ui.companionSource && now.companion ? view.companion : view.main);
    to["thread_view"] = ui.threadView;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<ThreadsPanel>();
}

}  // namespace tilestep::features::threads
