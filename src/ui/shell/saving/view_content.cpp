// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/view_content.h"

#include <algorithm>
#include <array>
#include <optional>

#include "features/cube/view.h"
#include "features/panel_registry.h"
#include "features/phases/view.h"
#include "features/source/view.h"
#include "features/sums/view.h"
#include "features/threads/view.h"
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

/// Whether it is more than a section of the measures.
bool isOwn(std::string_view view) {
  return stageOf(view) || std::ranges::find(kOwnViews, view) != kOwnViews.end();
}

/// Whether the view itself omits what an open question covers.
bool isOpen(std::string_view view) {
  return view == "scene" || view == "source";
}

/// The area in which the window shows the view.
features::Covered areaOf(std::string_view view) {
  for (const char* step : {"threads", "thread", "warp", "ptx"})
    if (view == step) return features::Covered::step;
  return stageOf(view) || view == "phases" ? features::Covered::stage : features::Covered::measures;
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
  const model::Snapshot& now = context.snapshot;
  // Costly content is made only while it is shown.
  if (view == "phases") return now.view<features::PhasesView>().main != nullptr;
  if (view == "thread") return now.view<features::ThreadsView>().main != nullptr;
  if (view == "ptx") return now.view<features::SourceView>().ptx != nullptr;
  if (view == "cube") return now.view<features::CubeView>().step != nullptr;
  if (view == "sums") return now.view<features::SumsView>().tree != nullptr;
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
  if (view == "scene") return scene_.draw(context, density, frameHeight);
  if (view == "source") return source_.draw(context);
  if (stageOf(view)) return drawStage(context);
  if (view == "phases") return phases_.draw(context);
  if (view == "threads") return drawThreads(context);
  if (view == "thread") return features::drawThread(context);
  if (view == "warp") return features::drawWarp(context);
  if (view == "ptx") return features::drawPtx(context);
  if (const FeaturePanel* section = sectionOf(view))
    section->drawSection(context, ImGui::GetContentRegionAvail().y);
}

}  // namespace tilestep::ui
