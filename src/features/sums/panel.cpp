// SPDX-License-Identifier: Apache-2.0
// The stage around the array: figures, the step's sentence, and what the marks mean.
#include "features/sums/panel.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/figure.h"
#include "features/barriers/view.h"
#include "model/scene/traced_kernel.h"
#include "ui/kit/figure_tiles.h"
#include "ui/kit/legend.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::SumsView;

std::vector<FigureTile> tilesOf(const Context& context, const SumsView& view) {
  std::vector<FigureTile> tiles;
  if (view.figures) {
    const model::SumFigures& f = *view.figures;
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
  const model::Snapshot& now = context.snapshot;
  if (now.figuresMain && !now.figuresStale && now.figuresMain->measurement)
    tiles.push_back({toText(now.figuresMain->measurement->medianMs / 1e3, Unit::seconds), "time",
                     "Measured on " + model::deviceText(now.figuresMain->device) + "."});
  return tiles;
}

void drawLegend(const Context& context, const SumsView& view, const SumTreeDrawn& drawn) {
  const gfx::Palette& p = context.palette;
  const auto warps = static_cast<uint32_t>((view.tree->threads + 31) / 32);
  Legend legend(context);
  legend.add(
      warps > 1 ? "new sum, and below it its thread: warp 0" : "new sum, and below it its thread",
      p.warp(0));
  if (warps > 1) legend.add("warp 1", p.warp(1));
  if (warps > 2) legend.add("warp 2, …", p.warp(2));
  if (drawn.unneeded) legend.add("not needed", gfx::withAlpha(p.warp(0), kUnneeded));
  if (drawn.kept) legend.add("still needed", gfx::withAlpha(p.mutedText, kKept));
  legend.add("thread off", [&](ImDrawList& list, ImVec2 min, ImVec2 max) {
    const float middle = (min.y + max.y) / 2;
    list.AddLine({min.x, middle}, {max.x, middle}, colour(p.mutedText), 1);
  });
}

void drawPicture(const Context& context, const SumsView& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  const float legend = 2.7F * context.fonts.smallPixels + context.em;
  const float height = std::max(room.y - legend, 8 * context.em);
  const SumTreeDrawn drawn = drawSumTree(context, view, {at.x, at.y, room.x, height});
  ImGui::Dummy({room.x, drawn.height + 0.3F * context.em});
  drawLegend(context, view, drawn);
}

/// What happens without a barrier; false where none was removed.
bool drawVerdict(const Context& context) {
  const auto* barriers = context.snapshot.views.get<model::BarriersView>();
  if (barriers == nullptr || !barriers->race || barriers->race->verdict.empty()) return false;
  warning(context, barriers->race->verdict);
  return true;
}

/// The array or the ladder.
bool drawChoice(const Context& context, const SumsView& view) {
  const bool chosen = view.isLadder;
  if (!view.ladder || context.ui.readOnly) return chosen;
  if (toggle(context, "array", !chosen))
    context.session.apply(model::command("sums.ladder", false));
  tooltip(context, "The array of this kernel's block, round by round");
  ImGui::SameLine();
  if (toggle(context, "ladder", chosen)) context.session.apply(model::command("sums.ladder", true));
  tooltip(context, "What each of the lab's kernels costs");
  return chosen;
}

void drawArray(const Context& context, const SumsView& view) {
  if (!view.tree) return hint(context, "The kernel's first run is not finished yet.");
  if (view.tree->rows.empty()) {
    richText(context, view.sentence);
    return offerKernel(context, "reduce_neighbored");
  }
  // Beside the choice of array or ladder, where the picture needs the room.
  if (view.ladder && !context.ui.readOnly && isLowStage(context)) ImGui::SameLine(0, context.em);
  drawFigureTiles(context, tilesOf(context, view));
  ImGui::Dummy({0, 0.1F * context.em});
  // The verdict takes the sentence's place where there is no room for both.
  const bool low = isLowStage(context);
  if (!drawVerdict(context) || !low) richText(context, view.sentence, Setting::sentence);
  drawPicture(context, view);
}

}  // namespace

void drawSums(const Context& context) {
  const auto& view = context.snapshot.view<SumsView>();
  drawChoice(context, view) ? drawSumLadder(context, view) : drawArray(context, view);
}

}  // namespace tilestep::ui
