// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "features/panel_registry.h"
#include "features/phases/view.h"
#include "ui/kit/widgets.h"
#include "ui/shell/help/glossary.h"
#include "ui/shell/panels.h"

namespace tilestep::ui {
namespace {

constexpr std::array<const char*, model::kStages> kHovers{
    "The matrices and tiles, step by step (5)",
    "Performance compared with memory and arithmetic limits (6)",
    "The same launch repeated, live (7)",
    "One or two parameters varied, all points measured or counted (8)",
    "Blocks on multiprocessors over time (9)",
    "Pinned runs side by side (0)"};

float tabWidth(Stage stage) {
  return ImGui::CalcTextSize(nameOf(stage)).x + 2 * ImGui::GetStyle().FramePadding.x;
}

struct SceneView {
  const char *name, *hover;
};
constexpr std::array<SceneView, 3> kSceneViews{
    {{"phase table", "Threads against phases: what each loads and computes (E)"},
     {"4 × 4 example", "The textbook's example: 4 × 4 with tiles of 2 × 2 (X)"},
     {"legend", "What colours and marks mean, and the terms of the field (F7)"}}};

/// What the scene can be replaced by, at the right edge.
void drawSceneViews(const Context& context) {
  float width = -ImGui::GetStyle().ItemSpacing.x;
  for (const SceneView& view : kSceneViews)
    width += ImGui::CalcTextSize(view.name).x + 2 * ImGui::GetStyle().FramePadding.x +
             ImGui::GetStyle().ItemSpacing.x;
  const float right = ImGui::GetWindowContentRegionMax().x;
  ImGui::SameLine();
  if (right - width < ImGui::GetCursorPosX()) return ImGui::NewLine();
  ImGui::SetCursorPosX(right - width);
  model::Session& session = context.session;
  const bool table = context.snapshot.view<model::PhasesView>().wanted;
  if (toggle(context, kSceneViews[0].name, table))
    session.apply(model::command("phases.table", !table));
  tooltip(context, kSceneViews[0].hover);
  ImGui::SameLine();
  if (ImGui::Button(kSceneViews[1].name)) session.apply(model::command("phases.classic"));
  tooltip(context, kSceneViews[1].hover);
  ImGui::SameLine();
  if (toggle(context, kSceneViews[2].name, context.ui.glossary.open)) toggleGlossary(context.ui);
  tooltip(context, kSceneViews[2].hover);
}

void drawRow(const Context& context) {
  for (size_t i = 0; i < model::kStages; ++i) {
    if (i > 0) ImGui::SameLine();
    const auto stage = static_cast<Stage>(i);
    if (toggle(context, nameOf(stage), context.ui.stage == stage)) context.ui.stage = stage;
    tooltip(context, kHovers[i]);
  }
  if (context.ui.stage == Stage::scene) drawSceneViews(context);
}

void drawList(const Context& context) {
  ImGui::SetNextItemWidth(std::min(ImGui::GetContentRegionAvail().x, 10 * context.em));
  if (!ImGui::BeginCombo("##stage", nameOf(context.ui.stage))) return;
  for (size_t i = 0; i < model::kStages; ++i) {
    const auto stage = static_cast<Stage>(i);
    if (ImGui::Selectable(nameOf(stage), context.ui.stage == stage)) context.ui.stage = stage;
  }
  ImGui::EndCombo();
}

}  // namespace

void drawStageTabs(const Context& context) {
  float width = 0;
  for (size_t i = 0; i < model::kStages; ++i)
    width += tabWidth(static_cast<Stage>(i)) + ImGui::GetStyle().ItemSpacing.x;
  ImGui::SetCursorPosY(0.2F * context.em);
  width <= ImGui::GetContentRegionAvail().x ? drawRow(context) : drawList(context);
}

void drawStage(const Context& context) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (feature->stage() == context.ui.stage) return feature->drawStage(context);
}

}  // namespace tilestep::ui
