// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/live/live.h"
#include "features/live/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::live {
namespace {

using namespace ui;
using nlohmann::json;

json stateOf(const model::LiveView& view) {
  constexpr std::array<const char*, 4> kStates{"waiting", "running", "paused", "none"};
  return {{"state", kStates[static_cast<size_t>(view.state)]},
          {"said", view.said},
          {"warning", view.warning},
          {"points", view.points},
          {"choices", view.runs.size()},
          {"of_now", view.ofNow},
          {"change", view.runs.empty() ? "" : view.runs.back().change},
          {"median_ms", view.recent.medianMs}};
}

class LivePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::live; }
  [[nodiscard]] const char* stageHover() const override {
    return "The same launch repeated, live (7)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return liveMarks(context);
  }
  void drawStage(const Context& context) const override { drawLive(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("live.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["live"] = stateOf(now.view<model::LiveView>());
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LivePanel>();
}

}  // namespace tilestep::features::live
