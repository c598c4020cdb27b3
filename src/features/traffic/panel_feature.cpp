// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/traffic/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::traffic {
namespace {

using namespace ui;
using nlohmann::json;

class TrafficPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "traffic"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& /*context*/) const override {
    return Heading{"Traffic", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override { drawTraffic(context); }
  [[nodiscard]] std::optional<model::Plot> plot() const override { return model::Plot::traffic; }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"G", "traffic: this phase, whole grid", KeyGroup::choice, true}};
  }
  bool takeText(char32_t text, model::Session& /*session*/, UiState& ui) const override {
    switch (text) {
      case U'g':
      case U'G':
        ui.wholeGrid = !ui.wholeGrid;
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& /*now*/, const UiState& ui, json& to) const override {
    to["whole_grid"] = ui.wholeGrid;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TrafficPanel>();
}

}  // namespace tilestep::features::traffic
