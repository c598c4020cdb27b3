// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "features/sums/panel.h"
#include "ui/kit/feature_panel.h"

namespace tilestep::features::sums {
namespace {

using namespace ui;
using nlohmann::json;

class SumsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::sums; }
  [[nodiscard]] const char* stageHover() const override {
    return "How a block adds an array up, round by round";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return sumsMarks(context);
  }
  void drawStage(const Context& context) const override { drawSums(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("sums.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<model::SumsView>();
    if (!view.tree) return;
    json& sums = to["sums"];
    sums = {
        {"array", view.tree->array}, {"rows", view.tree->rows.size()}, {"sentence", view.sentence}};
    if (view.row) sums["row"] = *view.row;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SumsPanel>();
}

}  // namespace tilestep::features::sums
