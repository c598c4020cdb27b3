// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "features/history/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::history {
namespace {

using namespace ui;
using nlohmann::json;

class HistoryPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "history"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    return Heading{
        context.snapshot.measures ? "Over the last changes" : "Over the last changes, counted", ""};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    drawHistory(context, std::max(ImGui::GetContentRegionAvail().y, 7 * context.em));
  }
  [[nodiscard]] std::optional<model::Plot> plot() const override { return model::Plot::history; }
  void drawPlot(const Context& context, float height) const override {
    drawHistory(context, std::max(height, 8 * context.em));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["history"] = now.history.size();
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<HistoryPanel>();
}

}  // namespace tilestep::features::history
