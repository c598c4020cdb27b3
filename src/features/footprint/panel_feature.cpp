// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/footprint/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::footprint {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const model::AccessCounts& counts) {
  return {{"requests", counts.requests},
          {"sectors", counts.sectors},
          {"lines", counts.lines},
          {"useful_share", counts.usefulShare()}};
}

class FootprintPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::sectors; }
  [[nodiscard]] const char* stageHover() const override {
    return "Which sectors of memory each warp's loads and stores move, step by step";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return footprintMarks(context);
  }
  void drawStage(const Context& context) const override { drawFootprint(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("footprint.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<model::FootprintView>();
    if (!view.footprint) return;
    to["sectors"] = {{"done", view.done},
                     {"requests", view.footprint->requests.size()},
                     {"sentence", view.sentence},
                     {"loads", stateOf(view.soFar[0])},
                     {"stores", stateOf(view.soFar[1])}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<FootprintPanel>();
}

}  // namespace tilestep::features::footprint
