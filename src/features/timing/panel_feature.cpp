// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/timing/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::timing {
namespace {

using namespace ui;
using nlohmann::json;

class TimingPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::timing; }
  [[nodiscard]] const char* stageHover() const override {
    return "The same launch timed in four ways";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return timingMarks(context);
  }
  void drawStage(const Context& context) const override { drawTiming(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("timing.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<model::TimingView>();
    if (view.rows.empty()) return;
    json& timing = to["timing"];
    timing = {{"sentence", view.sentence}, {"launches", json::array()}};
    for (const model::TimingRow& row : view.rows)
      timing["launches"].push_back({{"kernel", row.kernel}, {"ways", row.ways.size()}});
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TimingPanel>();
}

}  // namespace tilestep::features::timing
