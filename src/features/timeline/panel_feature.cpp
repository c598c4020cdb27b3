// SPDX-License-Identifier: Apache-2.0

#include "features/timeline/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::timeline {
namespace {

using namespace ui;

class TimelinePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::timeline; }
  [[nodiscard]] const char* stageHover() const override {
    return "Blocks on multiprocessors over time (9)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return timelineMarks(context);
  }
  void drawStage(const Context& context) const override { drawTimeline(context); }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<TimelinePanel>();
}

}  // namespace tilestep::features::timeline
