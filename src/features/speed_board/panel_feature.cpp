// SPDX-License-Identifier: Apache-2.0
#include "features/speed_board/board.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/widgets.h"

namespace tilestep::features::speed_board {
namespace {

using namespace ui;
using model::SpeedFigure;

/// A figure in large type below its name. Its origin is shown on hover.
void drawFigure(const Context& context, const SpeedFigure& figure) {
  ImGui::BeginGroup();
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  muted(context, figure.name);
  ImGui::PopFont();
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  ImGui::TextUnformatted(figure.value.c_str());
  ImGui::PopFont();
  ImGui::EndGroup();
  tooltip(context, figure.from);
}

class SpeedBoardPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::string_view table() const override { return "speed"; }
  [[nodiscard]] std::optional<Heading> heading(const Context& context) const override {
    if (model::speedFiguresOf(context.snapshot).empty()) return std::nullopt;
    const lab::RunResult& result = *context.snapshot.figuresMain;
    return Heading{
        "Speed", device::machineText(result.device) +
                     (result.device.recordedOn.empty() ? ", measured"
                                                       : ", recorded " + result.device.recordedOn)};
  }
  /// In one row where there is room, otherwise in two columns or one.
  void drawSection(const Context& context, float /*room*/) const override {
    const std::vector<SpeedFigure> figures = model::speedFiguresOf(context.snapshot);
    const float least = 10 * context.em, width = ImGui::GetContentRegionAvail().x;
    const int columns = width >= 4 * least ? 4 : width >= 2 * least ? 2 : 1;
    if (!ImGui::BeginTable("##speed", columns, ImGuiTableFlags_SizingStretchSame)) return;
    for (const SpeedFigure& figure : figures) {
      ImGui::TableNextColumn();
      drawFigure(context, figure);
    }
    ImGui::EndTable();
    hint(context, figures.front().from);
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<SpeedBoardPanel>();
}

}  // namespace tilestep::features::speed_board
