// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "features/roofline/panel.h"
#include "features/roofline/roofline_view.h"
#include "ui/kit/feature_panel.h"
#include "ui/shell/state_json.h"

namespace tilestep::features::roofline {
namespace {

using nlohmann::json;

json stateOf(const RooflineView& view) {
  json points = json::array();
  for (const RoofPoint& at : view.points)
    points.push_back({{"level", metrics::toText(at.point.level)},
                      {"companion", at.companion},
                      {"intensity", at.point.intensity.value},
                      {"flops", orNull(at.flopPerSecond)},
                      {"bound", at.bound},
                      {"words", at.words}});
  json marks = json::array();
  for (const model::ReferenceMark& mark : view.marks)
    marks.push_back({{"name", mark.name}, {"flops", mark.flopPerSecond}});
  return {{"device", view.device},
          {"measured", view.measured},
          {"points", points},
          {"verdict", view.verdict},
          {"marks", marks},
          {"former", view.trail.size()},
          {"pinned", view.pinned.size()}};
}

class RooflinePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "roofline"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    if (context.ui.stage == Stage::roofline) return std::nullopt;
    const auto& view = context.snapshot.view<RooflineView>();
    return Heading{"Roofline", view.device.empty() ? "" : view.device + " · " + view.origin};
  }
  void drawSection(const Context& context, float room) const override {
    drawRoofline(context, std::clamp(0.36F * room, 16 * context.em, 28 * context.em));
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::roofline;
  }
  void drawPlot(const Context& context, float height) const override {
    drawRoofline(context, std::max(height - 3.6F * context.em, 8 * context.em));
  }
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::roofline; }
  [[nodiscard]] const char* stageHover() const override {
    return "Performance compared with memory and arithmetic limits (6)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return rooflineMarks(context);
  }
  void drawStage(const Context& context) const override {
    drawRoofline(context, ImGui::GetContentRegionAvail().y);
  }
  void describe(const model::Snapshot& now, const UiState& ui,
                model::PageStep& step) const override {
    if (ui.stage == Stage::roofline) step.sentence = now.view<RooflineView>().verdict;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{"U", "highlight the next level, or the one nearest to its roof", KeyGroup::plots,
             false, U"uU", [](char32_t, model::Session&, UiState& ui) {
               ui.chooseRoofFocus(model::nextFocus(ui.shownRoofFocus()));
             }}};
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    to["roofline"] = stateOf(now.view<RooflineView>());
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<RooflinePanel>();
}

}  // namespace tilestep::features::roofline
