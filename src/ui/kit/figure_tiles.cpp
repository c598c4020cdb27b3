// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/figure_tiles.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kLow = 24;  ///< Em; a stage below this height is low.

void drawTile(const Context& context, const FigureTile& tile, float x, float y) {
  ImGui::SetCursorPos({x, y});
  ImGui::BeginGroup();
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  ImGui::TextUnformatted(tile.value.c_str());
  ImGui::PopFont();
  ImGui::SetCursorPosX(x);
  hint(context, tile.name);
  ImGui::EndGroup();
  tooltip(context, tile.hover);
}

void drawOnALine(const Context& context, const std::vector<FigureTile>& tiles) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  for (size_t i = 0; i < tiles.size(); ++i) {
    const std::string all = tiles[i].value + " " + tiles[i].name;
    if (i > 0 &&
        ImGui::GetItemRectMax().x + context.em + ImGui::CalcTextSize(all.c_str()).x < right)
      ImGui::SameLine(0, context.em);
    ImGui::BeginGroup();
    compat::pushFont(context.fonts.strong, context.fonts.textPixels);
    ImGui::TextUnformatted(tiles[i].value.c_str());
    ImGui::PopFont();
    ImGui::SameLine(0, 0.4F * context.em);
    muted(context, tiles[i].name);
    ImGui::EndGroup();
    tooltip(context, tiles[i].hover);
  }
}

}  // namespace

bool isLowStage(const Context& context) {
  return ImGui::GetContentRegionAvail().y < kLow * context.em;
}

void drawFigureTiles(const Context& context, const std::vector<FigureTile>& tiles) {
  if (tiles.empty()) return;
  if (isLowStage(context)) return drawOnALine(context, tiles);
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  const float width = std::min(ImGui::GetContentRegionAvail().x / static_cast<float>(tiles.size()),
                               12 * context.em);
  float bottom = top;
  for (size_t i = 0; i < tiles.size(); ++i) {
    drawTile(context, tiles[i], left + static_cast<float>(i) * width, top);
    bottom = std::max(bottom, ImGui::GetCursorPosY());
  }
  ImGui::SetCursorPos({left, bottom});
}

}  // namespace tilestep::ui
