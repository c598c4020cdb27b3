// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_content.h"

#include <algorithm>
#include <array>
#include <optional>

#include "features/panel_registry.h"
#include "ui/kit/panels.h"
#include "ui/shell/cover.h"

namespace tilestep::ui {
namespace {

constexpr std::array<std::string_view, 7> kOwnViews{"scene", "phases", "threads", "thread",
                                                    "warp",  "source", "ptx"};

/// The stage that draws the view; nullopt for the scene.
std::optional<Stage> stageOf(std::string_view view) {
  const std::optional<Stage> stage = model::stageOfTable(view);
  return stage == Stage::scene ? std::nullopt : stage;
}

/// Whether the view is more than a section of the measures.
bool isOwn(std::string_view view) {
  return stageOf(view) || std::ranges::find(kOwnViews, view) != kOwnViews.end();
}

/// Whether the view itself omits what an open question covers.
bool isOpen(std::string_view view) {
  return view == "scene" || view == "source";
}

model::Covered areaOf(std::string_view view) {
  for (const char* step : {"threads", "thread", "warp", "ptx"})
    if (view == step) return model::Covered::step;
  return stageOf(view) || view == "phases" ? model::Covered::stage : model::Covered::measures;
}

const FeaturePanel* sectionOf(std::string_view view) {
  for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
    if (feature->table() == view) return feature.get();
  return nullptr;
}

}  // namespace

bool ViewContent::hasPicture(std::string_view view) {
  return isOwn(view) || sectionOf(view) != nullptr;
}

bool ViewContent::canDraw(std::string_view view, const Context& context) {
  const auto isMade = [&](const std::unique_ptr<FeaturePanel>& feature) {
    return feature->isMade(view, context.snapshot);
  };
  if (!std::ranges::all_of(features::panels(), isMade)) return false;
  if (isOwn(view)) return true;
  const FeaturePanel* section = sectionOf(view);
  return section != nullptr && section->heading(context);
}

bool ViewContent::isCovered(const Context& context, std::string_view view) {
  return !isOpen(view) && ui::isCovered(context, areaOf(view));
}

void ViewContent::choose(std::string_view view, UiState& ui) {
  ui.stage = stageOf(view).value_or(Stage::scene);
  ui.warpView = view == "warp";
  ui.threadView = view == "thread";
  ui.ptxView = view == "ptx";
}

void ViewContent::draw(const Context& context, std::string_view view, float density,
                       int frameHeight) {
  const auto draw = [&] { drawWhole(context, view, density, frameHeight); };
  isOpen(view) ? draw() : coverable(context, areaOf(view), draw);
}

bool ViewContent::lacksValues() const {
  for (const gfx::SceneCall& scene : scenes()) {
    const std::vector<gfx::MatrixPanel>& panels = scene.layers->model->panels;
    for (size_t i = 0; i < panels.size(); ++i)
      if (panels[i].source != nullptr && scene.layers->matrices[i].picture == nullptr) return true;
  }
  return false;
}

void ViewContent::drawWhole(const Context& context, std::string_view view, float density,
                            int frameHeight) {
  if (view == "scene") return scene_->draw(context, density, frameHeight);
  if (view == "source") return source_(context);
  if (stageOf(view)) return drawStage(context);
  if (view == "phases") return phases_(context);
  if (view == "threads") return drawThreads(context);
  if (view == "thread") return drawPart(Part::thread, context);
  if (view == "warp") return drawPart(Part::warp, context);
  if (view == "ptx") return drawPart(Part::ptx, context);
  if (const FeaturePanel* section = sectionOf(view))
    section->drawSection(context, ImGui::GetContentRegionAvail().y);
}

}  // namespace tilestep::ui
