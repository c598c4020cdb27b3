// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/figure.h"
#include "features/gains/view.h"
#include "features/occupancy/occupancy_view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/figure_tiles.h"
#include "ui/kit/widgets.h"
#include "ui/shell/state_json.h"

namespace tilestep::features::gains {
namespace {

using nlohmann::json;

void drawGain(const Context& context, const GainsView& view, size_t index) {
  ImGui::TableNextColumn();
  const model::Ratio& gain = view.gains[index];
  const std::string text = gain.value() ? gain.text() : "–";
  const std::string hover = gain.hover + (gain.value() ? "\n" + gain.formula() : "");
  // If all four are in one row, each has two lines of text, even if one would suffice.
  const float room = ImGui::TableGetColumnCount() == 4 ? 0 : ImGui::GetContentRegionAvail().x;
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const std::vector<std::string> lines = factorLines(text, room);
  ImGui::PopFont();
  bigFigure(context, lines, kGainNames[index], hover);
  if (gain.value()) return;
  hint(context, view.missing[index]);
  tooltip(context, hover);
}

/// Four columns if the widest name and factor fit, otherwise two.
int columnsFor(const Context& context) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float name = ImGui::CalcTextSize(kGainNames[0]).x;
  ImGui::PopFont();
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  const float factor = ImGui::CalcTextSize("1.14 times").x;
  ImGui::PopFont();
  const float column = std::max(name, factor) + 2 * ImGui::GetStyle().CellPadding.x;
  return 4 * column <= ImGui::GetContentRegionAvail().x ? 4 : 2;
}

void drawOccupancyHints(const Context& context) {
  const auto* occupancy = context.snapshot.views.get<OccupancyView>();
  if (occupancy == nullptr) return;
  hint(context, "Occupancy " + toText(occupancy->ratio, Unit::ratio) + ", limited by " +
                    occupancy->limiter +
                    (occupancy->note.empty() ? "" : " (computed: " + occupancy->note + ")"));
  tooltip(context, occupancy->hover);
  if (!occupancy->achieved) return;
  const model::TimelineFigures& achieved = *occupancy->achieved;
  std::string text = "Achieved " + toText(achieved.achievedOccupancy, Unit::ratio);
  if (achieved.barrierWaitShare > 0)
    text += ", " + toText(achieved.barrierWaitShare, Unit::ratio) + " of a warp's time at barriers";
  hint(context, text);
  tooltip(context, occupancy->achievedHover +
                       "\nTime at barriers is one warp's waiting; other warps may work meanwhile.");
}

class GainsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "gains"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    const auto& view = context.snapshot.view<GainsView>();
    if (view.gains.empty()) return std::nullopt;
    return Heading{"What tiling changes", view.ratios.of};
  }
  void drawSection(const Context& context, float /*room*/) const override {
    const auto& view = context.snapshot.view<GainsView>();
    if (!ImGui::BeginTable("gains", columnsFor(context), ImGuiTableFlags_SizingStretchSame)) return;
    ImGui::TableNextRow();
    for (size_t i = 0; i < view.gains.size(); ++i) drawGain(context, view, i);
    ImGui::EndTable();
    const auto& main = context.snapshot.main;
    const std::string& subject = view.ratios.subject;
    const bool isMain = !main || model::shortNameOf(main->side->kernel) == subject;
    hint(context, (isMain ? "Against " : subject + " against ") + view.ratios.against + "." +
                      (view.note.empty() ? "" : " " + view.note));
    drawOccupancyHints(context);
  }
  [[nodiscard]] std::optional<model::PlotKind> plot() const override {
    return model::PlotKind::gains;
  }
  [[nodiscard]] std::string whyNoPlot(const Context& context) const override {
    return heading(context) ? "" : "Only matrix products are compared with the naive kernel.";
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<GainsView>();
    to["gains"] = nullptr;
    if (view.gains.empty()) return;
    const model::LaunchRatios& ratios = view.ratios;
    to["gains"] = {{"subject", ratios.subject},
                   {"against", ratios.against},
                   {"lanes", orNull(ratios.lanes.value())},
                   {"sectors", orNull(ratios.sectors.value())},
                   {"l2", orNull(ratios.l2.value())},
                   {"time", orNull(ratios.time.value())},
                   {"note", view.note}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<GainsPanel>();
}

}  // namespace tilestep::features::gains
