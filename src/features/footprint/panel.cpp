// SPDX-License-Identifier: Apache-2.0
// The stage around the two pictures: the step's sentence, where they lie, and the legend.
#include "features/footprint/panel.h"

#include <algorithm>
#include <string>

#include "features/footprint/panel_ink.h"
#include "ui/kit/rich_text.h"
#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

using model::FootprintView;

enum class Mark { asked, later, unasked, now };

void drawMark(const Context& context, Mark mark, ImVec2 min, ImVec2 max) {
  const Ink ink(context);
  switch (mark) {
    case Mark::asked:
    case Mark::later:
      ink.list().AddRectFilled(min, max, colour(ink.warp(0), mark == Mark::asked ? 1.0F : 0.25F));
      break;
    case Mark::unasked:
      ink.hatch(min, max, 0.9F);
      break;
    case Mark::now:
      ink.list().AddRect(min, max, colour(context.palette.accent), 1, 0, 2);
      break;
  }
}

/// One entry of the legend: a mark and its meaning.
void drawKey(const Context& context, Mark mark, const char* text, float right, bool first) {
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  const float cell = 0.9F * context.fonts.smallPixels, gap = 0.4F * context.em;
  const float width = cell + gap + ImGui::CalcTextSize(text).x;
  if (!first && ImGui::GetItemRectMax().x + 1.2F * context.em + width <= right)
    ImGui::SameLine(0, 1.2F * context.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (ImGui::GetTextLineHeight() - cell) / 2;
  drawMark(context, mark, {at.x, y}, {at.x + cell, y + cell});
  ImGui::GetWindowDrawList()->AddText({at.x + cell + gap, at.y}, colour(context.palette.text),
                                      text);
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::PopFont();
}

/// The most lines that a request of the block touches, so that the picture keeps its place.
uint64_t mostLines(const model::Footprint& footprint) {
  uint64_t most = 1;
  for (const model::GlobalRequest& request : footprint.requests)
    most = std::max(most, request.counts.lines);
  return most;
}

/// Of two lines.
float legendHeight(const Context& context) {
  return 2 * (1.25F * context.fonts.smallPixels + ImGui::GetStyle().ItemSpacing.y);
}

/// One picture below the other where requests are flat and there is room, otherwise side by side.
void drawPictures(const Context& context, const FootprintView& view) {
  constexpr uint64_t kFlat = 4;
  constexpr float kRoom = 20;  // em
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float em = context.em, width = ImGui::GetContentRegionAvail().x, gap = 1.5F * em;
  const float height =
      std::max(ImGui::GetContentRegionAvail().y - legendHeight(context), 6.5F * em);
  const uint64_t lines = mostLines(*view.footprint);
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

void drawFootprintLegend(const Context& context) {
  const float right = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
  drawKey(context, Mark::asked, "asked for, in the warp's colour", right, true);
  drawKey(context, Mark::later, "asked for in a later step", right, false);
  drawKey(context, Mark::unasked, "moved, and nobody asked", right, false);
  drawKey(context, Mark::now, "this request's sectors", right, false);
}

void drawFootprint(const Context& context) {
  const auto& view = context.snapshot.view<FootprintView>();
  if (!view.footprint) return hint(context, "The kernel's first run is not finished yet.");
  if (view.footprint->requests.empty())
    return hint(context, "The trace of this block holds no access to global memory.");
  drawCounts(context, view);
  richText(context, view.sentence, Setting::sentence);
  drawPictures(context, view);
  drawFootprintLegend(context);
}

}  // namespace tilestep::ui
