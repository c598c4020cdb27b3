// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/figure_tiles.h"

#include <algorithm>

#include "base/figure.h"
#include "model/scene/traced_kernel.h"
#include "model/text/traffic.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kLow = 24;  ///< In em; a stage below this height is low.

void drawTile(const Context& context, const FigureTile& tile, float x, float y) {
  ImGui::SetCursorPos({x, y});
  ImGui::BeginGroup();
  bigFigure(context, {tile.value}, tile.name, tile.hover);
  ImGui::EndGroup();
}

float widthOf(const Context& context, const FigureTile& tile) {
  const auto measured = [](ImFont* font, float pixels, const std::string& text) {
    return font->CalcTextSizeA(pixels, 1e9F, 0, text.c_str()).x;
  };
  return std::max(measured(context.fonts.large, context.fonts.largePixels, tile.value),
                  measured(context.fonts.small, context.fonts.smallPixels, tile.name)) +
         context.em;
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

void bigFigure(const Context& context, const std::vector<std::string>& lines,
               const std::string& name, const std::string& hover) {
  compat::pushFont(context.fonts.large, context.fonts.largePixels);
  for (const std::string& line : lines) ImGui::TextUnformatted(line.c_str());
  ImGui::PopFont();
  tooltip(context, hover);
  hint(context, name);
  tooltip(context, hover);
}

std::optional<FigureTile> timeTile(const Context& context) {
  const lab::RunResult* run = context.snapshot.figuresMain.get();
  if (run == nullptr || context.snapshot.figuresStale || !run->measurement) return std::nullopt;
  return FigureTile{toText(run->measurement->medianMs / 1e3, Unit::seconds),
                    "time, " + model::sizesText(run->plan.sizes),
                    "Measured on " + model::deviceText(run->device) + "."};
}

bool isLowStage(const Context& context) {
  return ImGui::GetContentRegionAvail().y < kLow * context.em;
}

void drawFigureTiles(const Context& context, const std::vector<FigureTile>& tiles) {
  if (tiles.empty()) return;
  if (isLowStage(context)) return drawOnALine(context, tiles);
  const float left = ImGui::GetCursorPosX(), top = ImGui::GetCursorPosY();
  float widest = 0;
  for (const FigureTile& tile : tiles) widest = std::max(widest, widthOf(context, tile));
  const float room = ImGui::GetContentRegionAvail().x;
  const size_t columns =
      std::clamp<size_t>(static_cast<size_t>(std::max(room / widest, 1.0F)), 1, tiles.size());
  const float width = std::min(room / static_cast<float>(columns), 12 * context.em);
  float y = top, bottom = top;
  for (size_t i = 0; i < tiles.size(); ++i) {
    if (i > 0 && i % columns == 0) y = bottom;
    drawTile(context, tiles[i], left + static_cast<float>(i % columns) * width, y);
    bottom = std::max(bottom, ImGui::GetCursorPosY());
  }
  ImGui::SetCursorPos({left, bottom});
}

}  // namespace tilestep::ui
