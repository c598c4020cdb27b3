// SPDX-License-Identifier: Apache-2.0
// The stage around the two pictures: the step's sentence, the layout, and the legend.
#include "features/footprint/panel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "features/footprint/panel_ink.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/legend.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

/// The height of a legend of two lines.
float footprintLegendHeight(const Context& context) {
  return 2 * (1.25F * context.fonts.smallPixels + ImGui::GetStyle().ItemSpacing.y);
}

/// Draws the two pictures one below the other if few lines are requested, else side by side.
void drawPictures(const Context& context, const FootprintView& view) {
  constexpr uint64_t kFlat = 4;
  constexpr float kRoom = 20;  // em
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float em = context.em, width = ImGui::GetContentRegionAvail().x, gap = 1.5F * em;
  const float height =
      std::max(ImGui::GetContentRegionAvail().y - footprintLegendHeight(context), 6.5F * em);
  // Uses the request with the most lines, so that the layout is the same at every step.
  const uint64_t lines = std::max<uint64_t>(view.footprint->mostLines, 1);
  if (lines <= kFlat && height > kRoom * em) {
    const float above = std::min(heightOfRequest(context, lines), height / 2);
    drawRequest(context, view, {at.x, at.y, width, above});
    const float used = above + 0.7F * em;
    drawMap(context, view, {at.x, at.y + used, width, height - used});
  } else {
    const float each = (width - gap) / 2;
    drawMap(context, view, {at.x, at.y, each, height});
    drawRequest(context, view, {at.x + each + gap, at.y, each, height});
  }
  ImGui::Dummy({width, height});
}

}  // namespace

std::vector<LegendMark> footprintMarks(const Context& context) {
  const gfx::Palette& p = context.palette;
  const auto& view = context.snapshot.view<FootprintView>();
  std::vector<LegendMark> marks{{"requested, in the warp's colour", filled(p.warp(0))}};
  if (view.footprint && view.done < view.footprint->requests.size())
    marks.push_back({"requested in a later step", filled(gfx::withAlpha(p.warp(0), kLater))});
  const bool movesMore =
      view.footprint && std::ranges::any_of(view.footprint->whole, [](const auto& counts) {
        return counts.requests > 0 && counts.usefulShare() < 1;
      });
  if (movesMore)
    marks.push_back({"moved, but not requested by this warp",
                     [&context](ImDrawList& /*list*/, ImVec2 min, ImVec2 max) {
                       Ink(context).hatch(min, max, 0.9F);
                     }});
  marks.push_back({"this request's sectors", outlined(p.accent, 2)});
  return marks;
}

void drawFootprintLegend(const Context& context) {
  Legend legend(context);
  for (const LegendMark& mark : footprintMarks(context)) legend.add(mark);
}

void drawFootprint(const Context& context) {
  const auto& view = context.snapshot.view<FootprintView>();
  if (!view.footprint) return hint(context, "The kernel's first run is not finished yet.");
  if (view.footprint->requests.empty())
    return hint(context, "The trace of this block contains no access to global memory.");
  drawCounts(context, view);
  richText(context, view.sentence, Setting::sentence);
  drawPictures(context, view);
  drawFootprintLegend(context);
}

}  // namespace tilestep::features

namespace tilestep::features::footprint {
namespace {

using nlohmann::json;

json stateOf(const AccessCounts& counts) {
  return {{"requests", counts.requests},
          {"sectors", counts.sectors},
          {"lines", counts.lines},
          {"useful_share", counts.usefulShare()}};
}

class FootprintPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::sectors; }
  [[nodiscard]] const char* stageHover() const override {
    return "Which sectors of memory each warp's loads and stores move, step by step";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return footprintMarks(context);
  }
  void drawStage(const Context& context) const override { drawFootprint(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("footprint.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<FootprintView>();
    if (!view.footprint) return;
    to["sectors"] = {{"done", view.done},
                     {"requests", view.footprint->requests.size()},
                     {"sentence", view.sentence},
                     {"loads", stateOf(view.soFar[0])},
                     {"stores", stateOf(view.soFar[1])}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<FootprintPanel>();
}

}  // namespace tilestep::features::footprint
