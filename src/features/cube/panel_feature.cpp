// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/cube/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::cube {
namespace {

using namespace ui;
using nlohmann::json;

class CubePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::cube; }
  [[nodiscard]] const char* stageHover() const override {
    return "The multiply-adds of the product as a cube, step by step (period)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return cubeMarks(context);
  }
  void drawStage(const Context& context) const override { drawCube(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("cube.watch", isShown));
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{".", "to the cube, and from there to the flat scene", KeyGroup::scene},
            {"Alt+arrows", "turn the cube (so does dragging)", KeyGroup::cube},
            {"F", "turn it back, and show the whole cube", KeyGroup::cube},
            {"Z", "the traced block's column alone, or the whole cube", KeyGroup::cube}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<model::CubeView>();
    if (!view.cube) return;
    json& cube = to["cube"];
    cube = {{"trouble", view.cube->trouble}, {"yaw", ui.cube.yaw}, {"pitch", ui.cube.pitch}};
    if (!view.step) return;
    cube["points"] = view.cube->all.points;
    cube["done"] = view.step->done;
    cube["now"] = view.step->now;
    cube["faces"] = view.step->faces.size();
    cube["sentence"] = view.step->sentence;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<CubePanel>();
}

}  // namespace tilestep::features::cube
