// SPDX-License-Identifier: Apache-2.0
// The stage around the cube: figures, the step's sentence, and the legend of colours.
#include "features/cube/panel.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/figure.h"
#include "features/cube/cube_text.h"
#include "ui/kit/feature_panel.h"
#include "ui/kit/legend.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {
namespace {

struct Tile {
  std::string value, name, hover;
};

std::vector<Tile> tilesOf(const CubeView& view) {
  const CubeTrace& cube = *view.cube;
  const CubeStep& step = *view.step;
  const std::string sofar = " so far, counted in the trace of this block.";
  const auto loads = [&](uint64_t count, const std::string& name) {
    return Tile{grouped(count), "loads of " + name,
                "Elements of " + name + " that the block's threads have loaded" + sofar};
  };
  const auto reuse = [&](uint64_t count, const std::string& name) {
    return Tile{step.done == 0 ? "–" : reuseText(reuseOf(step.done, count)), "reuse of " + name,
                "Multiply-adds for each element of " + name + " that was loaded" + sofar};
  };
  return {{grouped(step.done) + " of " + grouped(cube.all.points), "multiply-adds",
           "Multiply-adds of this block" + sofar},
          loads(step.loads.left, cube.shape.leftName),
          loads(step.loads.right, cube.shape.rightName),
          reuse(step.loads.left, cube.shape.leftName),
          reuse(step.loads.right, cube.shape.rightName)};
}

void drawTiles(const Context& context, const CubeView& view) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  bool first = true;
  for (const Tile& tile : tilesOf(view)) {
    const float width =
        ImGui::CalcTextSize((tile.value + " " + tile.name).c_str()).x + 1.6F * context.em;
    if (!std::exchange(first, false) && ImGui::GetItemRectMax().x + width < right)
      ImGui::SameLine(0, 1.2F * context.em);
    ImGui::BeginGroup();
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(tile.value.c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, 0.4F * context.em);
    muted(context, tile.name);
    ImGui::EndGroup();
    tooltip(context, tile.hover);
  }
}

void drawLegend(const Context& context, const CubeView& view) {
  Legend legend(context);
  for (const LegendMark& mark : cubeMarks(context)) legend.add(mark);
  if (!view.step->separate && !context.ui.readOnly)
    legend.addIfRoom("Outer points hide inner points.");
}

/// The picture, and the table to its right if there is enough width.
void drawBody(const Context& context, const CubeView& view) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  const float height = std::max(ImGui::GetContentRegionAvail().y -
                                    legendHeight(context, cubeMarks(context)) - 0.3F * context.em,
                                10 * context.em);
  const float table = widthOfCubeTable(context, view);
  const bool wide = width - table > height + 5 * context.em;
  const float picture = wide ? width - table - context.em : width;
  drawCubePicture(context, view, {at.x, at.y, picture, height});
  if (wide) {
    ImGui::SetCursorScreenPos({at.x + picture + context.em, at.y + 0.5F * context.em});
    ImGui::BeginGroup();
    drawCubeTable(context, view, height);
    ImGui::Dummy({0, 0.5F * context.em});
    mutedWrapped(context,
                 "Reuse is the number of multiply-adds per loaded element. If each element is "
                 "loaded once, reuse is a slab's volume divided by the area of its face.");
    ImGui::EndGroup();
  }
  ImGui::SetCursorScreenPos({at.x, at.y});
  ImGui::Dummy({width, height});
}

}  // namespace

std::vector<LegendMark> cubeMarks(const Context& context) {
  const CubeColours colours{context.palette};
  const auto point = [&](CubeTone tone, bool odd) {
    return filled(colours.point({tone, odd}, CubeSide::product));
  };
  const float line = std::max(1.5F, 0.1F * context.em);
  return {{"now", point(CubeTone::now, false)},
          {"done, even phase", point(CubeTone::done, false)},
          {"done, odd phase", point(CubeTone::done, true)},
          {"of M or N, loaded before", filled(colours.loaded(false))},
          {"this phase", outlined(context.palette.accent, line)},
          {"the traced block", outlined(context.palette.chosen, line)}};
}

void drawCube(const Context& context) {
  const auto& view = context.snapshot.view<CubeView>();
  if (view.pending) return hint(context, "The cube is being computed.");
  if (!view.cube) return hint(context, "The kernel's first run is not finished yet.");
  if (!view.step) {
    wrapped(view.cube->trouble);
    return offerKernel(context, "matmul_tiled");
  }
  drawTiles(context, view);
  richText(context, view.step->sentence, Setting::sentence);
  drawBody(context, view);
  drawLegend(context, view);
}

}  // namespace tilestep::features

namespace tilestep::features::cube {
namespace {

using nlohmann::json;

class CubePanel : public FeaturePanel {
 public:
  [[nodiscard]] std::optional<Stage> stage() const override { return Stage::cube; }
  [[nodiscard]] const char* stageHover() const override {
    return "The multiply-adds of the product as a cube, step by step (period)";
  }
  [[nodiscard]] std::vector<LegendMark> marks(const Context& context) const override {
    return cubeMarks(context);
  }
  void drawStage(const Context& context) const override { drawCube(context); }
  void watch(const Context& context, bool isShown) const override {
    context.session.apply(model::command("cube.watch", isShown));
  }
  bool handleKey(KeyTurn turn, const gfx::KeyEvent& event, model::Session& /*session*/,
                 UiState& ui) const override {
    return turn == KeyTurn::stage && handleCube(event, ui);
  }
  [[nodiscard]] bool isMade(std::string_view view, const model::Snapshot& now) const override {
    return view != "cube" || now.view<CubeView>().step != nullptr;
  }
  [[nodiscard]] std::vector<KeyHelp> keys() const override {
    return {{".", "switch between the cube and the flat scene", KeyGroup::scene},
            {"Alt+arrows", "turn the cube; dragging turns it, too", KeyGroup::cube},
            {"F", "reset the view and show the whole cube", KeyGroup::cube},
            {"Z", "the traced block's column alone, or the whole cube", KeyGroup::cube}};
  }
  void addState(const model::Snapshot& now, const UiState& ui, json& to) const override {
    const auto& view = now.view<CubeView>();
    if (!view.cube) return;
    json& cube = to["cube"];
    cube = {{"trouble", view.cube->trouble}, {"yaw", ui.cube.yaw}, {"pitch", ui.cube.pitch}};
    if (!view.step) return;
    cube["points"] = view.cube->all.points;
    cube["done"] = view.step->done;
    cube["now"] = view.step->now;
    cube["faces"] = view.step->faces.size();
    cube["sentence"] = view.step->sentence;
  }
};

}  // namespace

std::unique_ptr<FeaturePanel> makePanel() {
  return std::make_unique<CubePanel>();
}

}  // namespace tilestep::features::cube
