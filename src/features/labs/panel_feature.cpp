// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/labs/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::labs {
namespace {

using namespace ui;

class LabsPanel : public FeaturePanel {
 public:
  void addState(const model::Snapshot& now, const UiState& /*ui*/,
                nlohmann::json& to) const override {
    const auto& view = now.view<model::LabsView>();
    const model::Lab* lab = view.openLab();
    if (lab == nullptr) return;
    to["lab"] = {{"id", lab->id}, {"predicting", view.predicting}, {"comparison", view.comparison}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LabsPanel>();
}

}  // namespace tilestep::features::labs
