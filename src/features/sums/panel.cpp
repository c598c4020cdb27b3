// SPDX-License-Identifier: Apache-2.0
// The stage around the array: figures, the step's sentence, and the legend.
#include "features/sums/panel.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"
#include "features/barriers/view.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/figure_tiles.h"
#include "ui/kit/legend.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

std::vector<FigureTile> tilesOf(const Context& context, const SumsView& view) {
  std::vector<FigureTile> tiles;
  if (view.figures) {
    const SumFigures& f = *view.figures;
    tiles = {
        {grouped(f.warpInstructions), "warp instructions",
         "Instructions that warps execute, each once for all of its lanes"},
        {toText(f.activeLanes, Unit::ratio), "lanes active",
         "Thread instructions / (32 × warp instructions)"},
        {grouped(f.barriers), "barriers", "Barriers that warps pass, by warp"},
        {grouped(f.conflicts), "bank conflicts",
         "Wavefronts of shared memory beyond those that the same words need without conflicts"},
        {grouped(f.sectors), "sectors",
         "32-byte sectors of global memory that loads and stores touch, by warp instruction"}};
    for (FigureTile& tile : tiles) tile.hover += ". " + view.counted + ".";
  }
  if (auto time = timeTile(context)) tiles.push_back(std::move(*time));
  return tiles;
}

std::vector<LegendMark> marksOf(const Context& context, const SumsView& view,
                                const SumTreeDrawn& drawn) {
  const gfx::Palette& p = context.palette;
  const auto warps = static_cast<uint32_t>((view.tree->threads + 31) / 32);
  std::vector<LegendMark> marks{
      {warps > 1 ? "new sum, with its thread below (warp 0)" : "new sum, with its thread below",
       filled(p.warp(0))}};
  if (warps > 1) marks.push_back({"warp 1", filled(p.warp(1))});
  if (warps > 2) marks.push_back({"warp 2, …", filled(p.warp(2))});
  if (drawn.unneeded) marks.push_back({"not needed", filled(gfx::withAlpha(p.warp(0), kUnneeded))});
  if (drawn.kept) marks.push_back({"still needed", filled(gfx::withAlpha(p.mutedText, kKept))});
  marks.push_back({"thread off", ruled(p.mutedText, 1)});
  return marks;
}

void drawPicture(const Context& context, const SumsView& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float legend = 2.7F * context.fonts.smallPixels + context.em;
  const float height = std::max(room.y - legend, 8 * context.em);
  const SumTreeDrawn drawn = drawSumTree(context, view, {at.x, at.y, room.x, height});
  ImGui::Dummy({room.x, drawn.height + 0.3F * context.em});
  Legend marks(context);
  for (const LegendMark& mark : marksOf(context, view, drawn)) marks.add(mark);
}

/// Draws a sentence about the effect of the removed barrier. Returns false if none was removed.
bool drawVerdict(const Context& context) {
  const auto* barriers = context.snapshot.views.get<BarriersView>();
  if (barriers == nullptr || !barriers->race || barriers->race->verdict.empty()) return false;
  warning(context, barriers->race->verdict);
  return true;
}

/// Buttons that choose between the array and the ladder. Returns whether the ladder is chosen.
bool drawChoice(const Context& context, const SumsView& view) {
  const bool chosen = view.isLadder;
  if (!view.ladder || context.ui.readOnly) return chosen;
  if (toggle(context, "array", !chosen))
    context.session.apply(model::command("sums.ladder", false));
  tooltip(context, "Shows the array of this kernel's block, round by round");
  ImGui::SameLine();
  if (toggle(context, "ladder", chosen)) context.session.apply(model::command("sums.ladder", true));
  tooltip(context, "Compares the cost of the lab's kernels");
  return chosen;
}

void drawArray(const Context& context, const SumsView& view) {
  if (!view.tree) return hint(context, "The kernel's first run is not finished yet.");
  if (view.tree->rows.empty()) {
    richText(context, view.sentence);
    return offerKernel(context, "reduce_neighbored");
  }
  // Beside the buttons, if the picture needs the space.
  if (view.ladder && !context.ui.readOnly && isLowStage(context)) ImGui::SameLine(0, context.em);
  drawFigureTiles(context, tilesOf(context, view));
  ImGui::Dummy({0, 0.1F * context.em});
  // The verdict replaces the sentence if only one of them fits.
  const bool low = isLowStage(context);
  if (!drawVerdict(context) || !low) richText(context, view.sentence, Setting::sentence);
  drawPicture(context, view);
}

}  // namespace

std::vector<LegendMark> sumsMarks(const Context& context) {
  const auto& view = context.snapshot.view<SumsView>();
  if (view.isLadder || !view.tree || view.tree->rows.empty() || !view.picture) return {};
  SumTreeDrawn drawn;
  drawn.kept = std::ranges::any_of(view.picture->rows,
                                   [](const RowPicture& row) { return !row.kept.empty(); });
  drawn.unneeded = std::ranges::any_of(
      view.tree->sums, [&](const Sum& sum) { return !sum.needed && sum.event <= view.lastEvent; });
  return marksOf(context, view, drawn);
}

void drawSums(const Context& context) {
  const auto& view = context.snapshot.view<SumsView>();
  drawChoice(context, view) ? drawSumLadder(context, view) : drawArray(context, view);
}

}  // namespace tilestep::features

namespace tilestep::features::sums {
namespace {

using nlohmann::json;

class SumsPanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::sums; }
  [[nodiscard]] const char* stageHover() const override {
    return "How a block adds up an array, round by round";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return sumsMarks(context);
  }
  void drawStage(const Context& context) const override { drawSums(context); }
  [[nodiscard]] bool isMade(std::string_view view, const model::Snapshot& now) const override {
    return view != "sums" || now.view<SumsView>().tree != nullptr;
  }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("sums.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<SumsView>();
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
