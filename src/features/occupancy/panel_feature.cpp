// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/occupancy/occupancy_view.h"
#include "features/occupancy/panel.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/state_json.h"

namespace tilestep::features::occupancy {
namespace {

using nlohmann::json;

json stateOf(const model::Snapshot& now) {
  const auto* view = now.views.get<OccupancyView>();
  if (view == nullptr) return nullptr;
  json tree = {{"ratio", view->ratio}, {"limiter", view->limiter}, {"note", view->note}};
  tree["achieved"] = view->achieved ? json(view->achieved->achievedOccupancy) : json(nullptr);
  tree["barrier_wait"] = view->achieved ? json(view->achieved->barrierWaitShare) : json(nullptr);
  tree.update({{"device", view->device},
               {"from_data_sheet", view->fromDataSheet},
               {"blocks", view->blocks},
               {"warps", view->warps},
               {"warps_max", view->warpsMax},
               {"refusal", view->refusal},
               {"why", view->why},
               {"steps", view->steps},
               {"registers", view->registers.count},
               {"registers_from", lab::toText(view->registers.from)},
               {"bars", json::array()},
               {"curves", json::array()}});
  for (const OccupancyBar& bar : view->bars)
    tree["bars"].push_back({{"name", bar.name},
                            {"known", bar.known},
                            {"limits", bar.limits},
                            {"blocks", bar.blocks},
                            {"textbook_blocks", bar.textbookBlocks}});
  for (const OccupancyCurve& curve : *view->curves)
    tree["curves"].push_back(
        {{"name", curve.name}, {"points", curve.points.size()}, {"now", orNull(curve.now)}});
  return tree;
}

class OccupancyPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "occupancy"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto* view = context.snapshot.views.get<OccupancyView>();
    if (view == nullptr) return std::nullopt;
    return Heading{"Occupancy", view->device};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawOccupancy(context, 0);
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::occupancy;
  }
  void drawPlot(const Context& context, float height) const override {
    drawOccupancy(context, height);
  }
  [[nodiscard]] PartDrawers parts() const override { return {{Part::whatIf, drawWhatIf}}; }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"O", "occupancy alone, or with the other measures", KeyGroup::choice, true, U"oO",
             [](char32_t, model::Session&, UiState& ui) { ui.toggleOccupancyAlone(); }},
            {"K", "the quantity occupancy is plotted over", KeyGroup::choice, false, U"kK",
             [](char32_t, model::Session&, UiState& ui) {
               ui.occupancyCurve = (ui.occupancyCurve + 1) % model::kOccupancyCurves;
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    to["occupancy"] = stateOf(now);
    to["occupancy_alone"] = ui.showsOccupancyAlone();
    to["occupancy_curve"] = ui.occupancyCurve;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<OccupancyPanel>();
}

}  // namespace tilestep::features::occupancy
