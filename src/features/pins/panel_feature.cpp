// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/pins/panel.h"
#include "features/pins/runs_view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::pins {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const model::Snapshot& snapshot) {
  json pins = json::array();
  if (!snapshot.choice.pins) return pins;
  const model::Pin* base = snapshot.choice.pins->baseOrFirst();
  for (const model::Pin& pin : snapshot.choice.pins->pins)
    pins.push_back({{"name", pin.name},
                    {"kernel", pin.kernel},
                    {"origin", model::nameOf(pin.origin)},
                    {"against_base", model::compareRuns(pin, *base).words}});
  return pins;
}

class PinsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::runs; }
  [[nodiscard]] const char* stageHover() const override { return "Pinned runs side by side (0)"; }
  void drawStage(const Context& context) const override { drawRuns(context); }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"Y", "pin this run: its figures are kept and compared"}};
  }
  bool takeText(char32_t text, model::Session& session, UiState& /*ui*/) const override {
    switch (text) {
      case U'y':
      case U'Y':
        session.apply(model::command("pins.pin"));
        return true;
      default:
        return false;
    }
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["pins"] = stateOf(now);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<PinsPanel>();
}

}  // namespace tilestep::features::pins
