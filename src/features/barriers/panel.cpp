// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/barriers/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::barriers {
namespace {

using nlohmann::json;

json barriersOf(const model::Snapshot& now) {
  json barriers = json::array();
  const auto* view = now.views.get<BarriersView>();
  if (view == nullptr) return barriers;
  for (const BarrierRole& role : *view->roles)
    barriers.push_back({{"line", role.line}, {"text", guardText(role)}});
  return barriers;
}

json raceOf(const model::Snapshot& now) {
  const auto* view = now.views.get<BarriersView>();
  if (view == nullptr || !view->race) return nullptr;
  const RaceView& race = *view->race;
  size_t slots = 0;
  if (now.main)
    for (const auto& [epoch, byLines] : race.races.byEpoch)
      for (const auto& [lines, places] : byLines)
        if (epoch >= now.main->step.epoch && epoch <= now.main->step.lastEpoch)
          slots += places.size();
  return {{"line", race.line},   {"lines", race.lines}, {"right", race.right},
          {"wrong", race.wrong}, {"made", race.made},   {"verdict", race.verdict},
          {"slots", slots}};
}

class BarriersPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"B", "remove the next barrier, show the races; after the last, restore all",
             KeyGroup::scene, false, U"bB", [](char32_t, model::Session& session, UiState&) {
               session.apply(model::command("barriers.next"));
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["without_barrier"] = now.choice.withoutBarrier;
    to["barriers"] = barriersOf(now);
    to["race"] = raceOf(now);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<BarriersPanel>();
}

}  // namespace tilestep::features::barriers
