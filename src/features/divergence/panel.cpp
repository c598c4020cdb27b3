// SPDX-License-Identifier: Apache-2.0
// The stage around the warps: figures, the step's sentence, and the legend of colours.
#include "features/divergence/panel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "base/figure.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/figure_tiles.h"
#include "ui/kit/legend.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

std::vector<FigureTile> tilesOf(const Context& context, const DivergenceView& view) {
  std::vector<FigureTile> tiles;
  if (view.figures) {
    const BranchFigures& f = *view.figures;
    tiles = {
        {grouped(f.branches), "branches", "Conditional branches, by warp instruction"},
        {grouped(f.divergent), "divergent",
         "Branches at which lanes of a warp take different paths"},
        {toText(f.efficiency, Unit::ratio), "branch efficiency",
         "Branches that do not diverge / all branches. It says nothing about how many lanes "
         "are off afterwards."},
        {toText(f.activeLanes, Unit::ratio), "lanes active",
         "Thread instructions / (32 × warp instructions): the share of lanes that are on, over "
         "all instructions of the program"},
        {grouped(f.warpInstructions), "warp instructions",
         "All instructions that warps execute, including comparisons, branches and address "
         "arithmetic"}};
    for (FigureTile& tile : tiles) tile.hover += ". " + view.counted + ".";
  }
  if (auto time = timeTile(context)) tiles.push_back(std::move(*time));
  return tiles;
}

void drawTiles(const Context& context, const DivergenceView& view) {
  if (!view.figures)
    hint(context,
         "Only the interpreter counts branches. On a GPU, the assembler turns some branches "
         "into predicated instructions.");
  drawFigureTiles(context, tilesOf(context, view));
}

std::string linesOf(const LanePath& path) {
  std::string text = path.lines.size() == 1 ? "line " : "lines ";
  constexpr size_t kMost = 4;
  for (size_t i = 0; i < std::min(path.lines.size(), kMost); ++i)
    text += (i > 0 ? ", " : "") + std::to_string(path.lines[i]);
  return path.lines.size() > kMost ? text + ", …" : text;
}

constexpr size_t kMostPaths = 6;  ///< The legend names at most this many paths.

void drawLegend(const Context& context, const DivergenceView& view) {
  Legend legend(context);
  for (const LegendMark& mark : lanesMarks(context)) legend.add(mark);
  if (view.picture->paths.size() <= kMostPaths) return;
  ImGui::SameLine(0, 1.2F * context.em);
  hint(context, "and " + std::to_string(view.picture->paths.size() - kMostPaths) + " more paths");
}

/// Whether the step involves several warps.
bool isOfSeveralWarps(const DivergenceView& view) {
  return std::ranges::count_if(view.picture->warps, [&](const WarpRows& warp) {
           return std::ranges::any_of(warp.rows, [&](const LaneRow& row) {
             return row.event >= view.firstEvent && row.event <= view.lastEvent;
           });
         }) > 1;
}

/// As many warps as are readable side by side. Starts at the first warp if the step involves
/// several warps; otherwise includes the present warp.
std::vector<const WarpRows*> warpsWithRoom(const DivergenceView& view, float width, float em) {
  const std::vector<WarpRows>& all = view.picture->warps;
  const size_t most = std::clamp<size_t>(static_cast<size_t>(width / (19 * em)), 1, 4);
  const auto at = std::ranges::find(all, view.warp, &WarpRows::warp);
  const bool begins = at == all.end() || isOfSeveralWarps(view);
  const size_t now = begins ? 0 : static_cast<size_t>(at - all.begin());
  const RowRange range = rowsWithRoom(all.size(), now, most);
  std::vector<const WarpRows*> shown;
  for (size_t i = range.first; i < range.first + range.count; ++i) shown.push_back(&all[i]);
  return shown;
}

void drawWarps(const Context& context, const DivergenceView& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, gap = 1.5F * context.em;
  const float height = std::max(ImGui::GetContentRegionAvail().y -
                                    legendHeight(context, lanesMarks(context)) - 0.6F * context.em,
                                8 * context.em);
  const std::vector<const WarpRows*> warps = warpsWithRoom(view, width, context.em);
  if (warps.empty()) return hint(context, "The trace of this block holds no instructions.");
  const auto count = static_cast<float>(warps.size());
  const float each = std::min((width - gap * (count - 1)) / count, 66 * context.em);
  float used = 0;
  for (size_t i = 0; i < warps.size(); ++i)
    used = std::max(
        used, drawWarpRows(context, view, *warps[i],
                           {at.x + static_cast<float>(i) * (each + gap), at.y, each, height}));
  ImGui::Dummy({width, used + 0.3F * context.em});
}

}  // namespace

std::vector<LegendMark> lanesMarks(const Context& context) {
  const auto& view = context.snapshot.view<DivergenceView>();
  if (!view.picture) return {};
  const std::vector<LanePath>& paths = view.picture->paths;
  std::vector<LegendMark> marks;
  for (const bool all : {false, true})
    for (size_t i = 0; i < std::min(paths.size(), kMostPaths); ++i)
      if (paths[i].all == all)
        marks.push_back(
            {(all ? "all threads: " : "path " + paths[i].name + ": ") + linesOf(paths[i]),
             filled(colourOf(*view.picture, i, context.palette))});
  const auto hasRow = [&](const auto& isSuch) {
    return std::ranges::any_of(view.picture->warps, [&](const WarpRows& warp) {
      return std::ranges::any_of(warp.rows,
                                 [&](const LaneRow& row) { return isSuch(row, warp.threads); });
    });
  };
  if (hasRow([&](const LaneRow& row, uint32_t) { return row.event > view.lastEvent; }))
    marks.push_back(
        {"dim: in a later step", filled(gfx::withAlpha(context.palette.mutedText, 0.3F))});
  if (!hasRow([](const LaneRow& row, uint32_t threads) { return row.mask != threads; }))
    return marks;
  marks.push_back({"lane off", [&context](ImDrawList& list, ImVec2 min, ImVec2 max) {
                     const float width = max.x - min.x, middle = (min.y + max.y) / 2;
                     list.AddLine({min.x + 0.3F * width, middle}, {min.x + 0.7F * width, middle},
                                  colour(context.palette.mutedText), 1);
                   }});
  return marks;
}

void drawLanes(const Context& context) {
  const auto& view = context.snapshot.view<DivergenceView>();
  if (!view.picture) return hint(context, "The kernel's first run is not finished yet.");
  drawTiles(context, view);
  ImGui::Dummy({0, 0.1F * context.em});
  richText(context, view.sentence, Setting::sentence);
  drawWarps(context, view);
  drawLegend(context, view);
}

}  // namespace tilestep::features

namespace tilestep::features::divergence {
namespace {

using nlohmann::json;

class DivergencePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::lanes; }
  [[nodiscard]] const char* stageHover() const override {
    return "Which lanes of each warp execute an instruction, step by step";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return lanesMarks(context);
  }
  void drawStage(const Context& context) const override { drawLanes(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("divergence.watch", isShown));
  }
  void addState(const model::Snapshot& now, const UiState& /*ui*/, json& to) const override {
    const auto& view = now.view<DivergenceView>();
    if (!view.picture) return;
    json& lanes = to["lanes"];
    lanes = {{"warps", view.picture->warps.size()},
             {"paths", view.picture->paths.size()},
             {"sentence", view.sentence}};
    if (view.figures)
      lanes["figures"] = {{"branches", view.figures->branches},
                          {"divergent", view.figures->divergent},
                          {"branch_efficiency", view.figures->efficiency},
                          {"active_lanes", view.figures->activeLanes}};
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<DivergencePanel>();
}

}  // namespace tilestep::features::divergence
