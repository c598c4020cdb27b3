// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/warps/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::warps {
namespace {

using namespace ui;
using nlohmann::json;

/// The content of the warp view as JSON.
json stateOf(const std::shared_ptr<const model::WarpView>& view) {
  if (!view) return nullptr;
  json tree = {{"groups", view->groups},      {"group", view->groups[view->group]},
               {"warp", view->warp},          {"line", view->line},
               {"index", view->index},        {"size", view->size},
               {"lanes", view->lanes.size()}, {"sectors", nullptr},
               {"wavefronts", nullptr},       {"verdict", view->verdict}};
  if (view->space == trace::Space::shared)
    tree["wavefronts"] = view->shared.wavefronts;
  else
    tree["sectors"] = view->global.sectors.size();
  return tree;
}

class WarpsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"W", "threads, or one warp against sectors and banks", KeyGroup::scene, true}};
  }
  bool takeText(char32_t text, model::Session& /*session*/, UiState& ui) const override {
    switch (text) {
      case U'w':
      case U'W':
        ui.warpView = ui.threadView || ui.ptxView ? ui.warpView : !ui.warpView;
        ui.threadView = ui.ptxView = false;
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<model::WarpsView>();
    to["warp"] = stateOf(ui.companionSource && now.companion ? view.companion : view.main);
    to["warp_view"] = ui.warpView;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<WarpsPanel>();
}

}  // namespace tilestep::features::warps
