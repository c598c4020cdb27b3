// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/divergence/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::divergence {
namespace {

using namespace ui;
using nlohmann::json;

class DivergencePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::lanes; }
  [[nodiscard]] const char* stageHover() const override {
    return "Which lanes of each warp execute an instruction, step by step";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return lanesMarks(context);
  }
  void drawStage(const Context& context) const override { drawLanes(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("divergence.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<model::DivergenceView>();
    if (!view.picture) return;
    json& lanes = to["lanes"];
    lanes = {{"warps", view.picture->warps.size()},
             {"paths", view.picture->paths.size()},
             {"sentence", view.sentence}};
    if (view.figures)
      lanes["figures"] = {{"branches", view.figures->branches},
                          {"divergent", view.figures->divergent},
                          {"branch_efficiency", view.figures->efficiency},
                          {"active_lanes", view.figures->activeLanes}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<DivergencePanel>();
}

}  // namespace tilestep::features::divergence
