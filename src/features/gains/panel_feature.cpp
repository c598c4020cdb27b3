// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/gains/panel.h"
#include "features/gains/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/state_json.h"

namespace tilestep::features::gains {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const model::Snapshot& now) {
  if (!now.view<model::GainsView>().known) return nullptr;
  const auto& view = now.view<model::GainsView>();
  const model::LaunchRatios& gains = view.ratios;
  return {{"subject", gains.subject},
          {"against", gains.against},
          {"lanes", orNull(gains.lanes)},
          {"sectors", orNull(gains.sectors)},
          {"l2", orNull(gains.l2)},
          {"time", orNull(gains.time)},
          {"note", view.note}};
}

class GainsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "gains"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto& view = context.snapshot.view<model::GainsView>();
    if (!view.known) return std::nullopt;
    return Heading{"What tiling changes", view.ratios.of};
  }
  void drawSection(const Context& context, float /*room*/) const override { drawGains(context); }
  [[nodiscard]] std::optional<model::Plot> plot() const override { return model::Plot::gains; }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return context.snapshot.view<model::GainsView>().known
               ? ""
               : "Only matrix products are compared with the naive kernel.";
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["gains"] = stateOf(now);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<GainsPanel>();
}

}  // namespace tilestep::features::gains
