// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <vector>

#include "features/panel_registry.h"
#include "ui/kit/panels.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help/glossary.h"

namespace tilestep::ui {
namespace {

/// Null for the scene, which is not drawn by a feature.
const FeaturePanel* panelOf(Stage stage) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (feature->stage() == stage) return feature.get();
  return nullptr;
}

const char* hoverOf(Stage stage) {
  const FeaturePanel* panel = panelOf(stage);
  return panel == nullptr ? "The matrices and tiles, step by step (5)" : panel->stageHover();
}

/// The stages with a tab, in order. An open program is first.
std::vector<Stage> offeredStages(const Context& context) {
  std::vector<Stage> stages;
  if (context.snapshot.shown.program || context.ui.stage == Stage::program)
    stages.push_back(Stage::program);
  for (size_t i = 0; i < model::kStages; ++i)
    if (static_cast<Stage>(i) != Stage::program) stages.push_back(static_cast<Stage>(i));
  return stages;
}

float tabWidth(Stage stage) {
  return ImGui::CalcTextSize(nameOf(stage)).x + 2 * ImGui::GetStyle().FramePadding.x;
}

struct SceneView {
  const char *name, *hover;
};
constexpr std::array<SceneView, 3> kSceneViews{
    {{"phase table", "Threads against phases: what each loads and computes (E)"},
     {"4 × 4 example", "The textbook's example: 4 × 4 with tiles of 2 × 2 (X)"},
     {"legend", "What the marks of this view mean, and a glossary (F7)"}}};

bool isShown(const Context& context, size_t view) {
  return view == 0   ? context.snapshot.shown.phaseTable
         : view == 2 ? context.ui.glossary.open
                     : false;
}

/// Shows the view or, if it is already shown, what it replaced.
void choose(const Context& context, size_t view) {
  model::Session& session = context.session;
  if (view == 0) session.apply(model::command("phases.table", !isShown(context, view)));
  if (view == 1) session.apply(model::command("phases.classic"));
  if (view == 2) toggleGlossary(context.ui);
}

void drawSceneViewsInList(const Context& context) {
  for (size_t i = 0; i < kSceneViews.size(); ++i)
    if (ImGui::Selectable(kSceneViews[i].name, isShown(context, i))) choose(context, i);
}

/// The alternatives to the scene, at the right edge; as a list if there is little space.
void drawSceneViews(const Context& context) {
  const float spacing = ImGui::GetStyle().ItemSpacing.x;
  const auto widthOf = [](const char* text) {
    return ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x;
  };
  constexpr const char* kMore = "more";
  float all = -spacing;
  for (const SceneView& view : kSceneViews) all += widthOf(view.name) + spacing;
  const float list = widthOf(kMore) + ImGui::GetFrameHeight();
  const float right = ImGui::GetWindowContentRegionMax().x;
  ImGui::SameLine();
  const float room = right - ImGui::GetCursorPosX();
  if (room < list) return ImGui::NewLine();
  ImGui::SetCursorPosX(right - (room < all ? list : all));
  if (room < all) {
    ImGui::SetNextItemWidth(list);
    if (!ImGui::BeginCombo("##views", kMore)) return;
    drawSceneViewsInList(context);
    return ImGui::EndCombo();
  }
  for (size_t i = 0; i < kSceneViews.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    if (toggle(context, kSceneViews[i].name, isShown(context, i))) choose(context, i);
    tooltip(context, kSceneViews[i].hover);
  }
}

void drawTab(const Context& context, Stage stage) {
  if (toggle(context, nameOf(stage), context.ui.stage == stage)) context.ui.stage = stage;
  tooltip(context, hoverOf(stage));
}

void drawRow(const Context& context, const std::vector<Stage>& stages) {
  for (size_t i = 0; i < stages.size(); ++i) {
    if (i > 0) ImGui::SameLine();
    drawTab(context, stages[i]);
  }
  if (context.ui.stage == Stage::scene) drawSceneViews(context);
}

/// As many tabs as fit, and a list of the other stages. The list is labelled with the current stage
/// if that stage has no tab.
void drawRowAndList(const Context& context, const std::vector<Stage>& stages, float room) {
  float widest = ImGui::CalcTextSize("more").x;
  for (const Stage stage : stages) widest = std::max(widest, ImGui::CalcTextSize(nameOf(stage)).x);
  const float list =
      std::min(room, widest + 2 * ImGui::GetStyle().FramePadding.x + ImGui::GetFrameHeight());
  size_t tabs = 0;
  for (float used = list; tabs < stages.size(); ++tabs) {
    used += tabWidth(stages[tabs]) + ImGui::GetStyle().ItemSpacing.x;
    if (used > room) break;
  }
  for (size_t i = 0; i < tabs; ++i) {
    drawTab(context, stages[i]);
    ImGui::SameLine();
  }
  ImGui::SetNextItemWidth(list);
  const auto shown =
      static_cast<size_t>(std::ranges::find(stages, context.ui.stage) - stages.begin());
  if (!ImGui::BeginCombo("##stage", shown >= tabs ? nameOf(context.ui.stage) : "more")) return;
  for (size_t i = tabs; i < stages.size(); ++i)
    if (ImGui::Selectable(nameOf(stages[i]), i == shown)) context.ui.stage = stages[i];
  if (context.ui.stage == Stage::scene) drawSceneViewsInList(context);
  ImGui::EndCombo();
}

}  // namespace

void drawStageTabs(const Context& context) {
  const std::vector<Stage> stages = offeredStages(context);
  float width = 0;
  for (const Stage stage : stages) width += tabWidth(stage) + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosY(0.2F * context.em);
  const float room = ImGui::GetContentRegionAvail().x;
  width <= room ? drawRow(context, stages) : drawRowAndList(context, stages, room);
}

std::vector<LegendMark> stageMarks(const Context& context) {
  const FeaturePanel* panel = panelOf(context.ui.stage);
  return panel == nullptr ? std::vector<LegendMark>() : panel->marks(context);
}

void drawStage(const Context& context) {
  if (const FeaturePanel* panel = panelOf(context.ui.stage)) panel->drawStage(context);
}

}  // namespace tilestep::ui
