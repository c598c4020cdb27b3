// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "features/load_history/panel.h"
#include "features/load_history/view.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::load_history {
namespace {

using namespace ui;

class LoadHistoryPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "story"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    if (!context.snapshot.view<model::LoadHistoryView>().story) return std::nullopt;
    return Heading{"Loads by phase", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawStory(context, 9 * context.em);
  }
  [[nodiscard]] std::optional<model::Plot> plot() const override { return model::Plot::story; }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return context.snapshot.view<model::LoadHistoryView>().story
               ? ""
               : "Nothing to compare phase by phase yet.";
  }
  void drawPlot(const Context& context, float height) const override {
    drawStory(context, std::max(height - 3 * context.em, 8 * context.em));
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<LoadHistoryPanel>();
}

}  // namespace tilestep::features::load_history
