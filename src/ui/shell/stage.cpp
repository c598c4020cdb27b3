// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "features/panel_registry.h"
#include "ui/kit/widgets.h"
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

void drawRow(const Context& context) {
  for (size_t i = 0; i < model::kStages; ++i) {
    if (i > 0) ImGui::SameLine();
    const auto stage = static_cast<Stage>(i);
    if (toggle(context, nameOf(stage), context.ui.stage == stage)) context.ui.stage = stage;
    tooltip(context, kHovers[i]);
  }
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
