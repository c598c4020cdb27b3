// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/legend.h"

#include <utility>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kApart = 1.2F;  ///< The gap between two entries, in em.

float legendTextWidth(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

float legendCell(const Context& context) {
  return 0.9F * context.fonts.smallPixels;
}
float legendGap(const Context& context) {
  return 0.4F * context.em;
}

}  // namespace

float legendHeight(const Context& context, const std::vector<LegendMark>& marks) {
  const float room = ImGui::GetContentRegionAvail().x, apart = kApart * context.em;
  compat::pushFont(context.fonts.small, context.fonts.smallPixels);
  int lines = 0;
  float used = room;
  for (const LegendMark& mark : marks) {
    const float width = legendCell(context) + legendGap(context) + legendTextWidth(mark.text);
    const bool fits = lines > 0 && used + apart + width <= room;
    used = fits ? used + apart + width : width;
    lines += fits ? 0 : 1;
  }
  const float line = ImGui::GetTextLineHeight() + ImGui::GetStyle().ItemSpacing.y;
  ImGui::PopFont();
  return static_cast<float>(lines) * line;
}

DrawMark filled(gfx::Color color) {
  return [color](ImDrawList& list, ImVec2 min, ImVec2 max) {
    list.AddRectFilled(min, max, colour(color));
  };
}

DrawMark outlined(gfx::Color color, float pixels) {
  return [=](ImDrawList& list, ImVec2 min, ImVec2 max) {
    compat::strokeRect(list, min, max, colour(color), 1, pixels);
  };
}

DrawMark plotMark(Mark mark, gfx::Color color, bool hollow) {
  return [=](ImDrawList& list, ImVec2 min, ImVec2 max) {
    const float radius = 0.4F * (max.y - min.y);
    drawMark(list, {(min.x + max.x) / 2, (min.y + max.y) / 2}, mark, radius, colour(color), hollow,
             1.5F);
  };
}

DrawMark ruled(gfx::Color color, float pixels) {
  return [=](ImDrawList& list, ImVec2 min, ImVec2 max) {
    const float middle = (min.y + max.y) / 2;
    list.AddLine({min.x, middle}, {max.x, middle}, colour(color), pixels);
  };
}

Legend::Legend(const Context& context)
    : context_(context), right_(ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x) {}

bool Legend::hasRoom(float width) const {
  return ImGui::GetItemRectMax().x + kApart * context_.em + width <= right_;
}

void Legend::add(const LegendMark& mark) {
  const std::string& text = mark.text;
  const float cell = legendCell(context_), gap = legendGap(context_);
  compat::pushFont(context_.fonts.small, context_.fonts.smallPixels);
  const float width = cell + gap + legendTextWidth(text);
  if (!std::exchange(isFirst_, false) && hasRoom(width)) ImGui::SameLine(0, kApart * context_.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (ImGui::GetTextLineHeight() - cell) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  mark.draw(list, {at.x, y}, {at.x + cell, y + cell});
  list.AddText({at.x + cell + gap, at.y}, colour(context_.palette.text), text.c_str());
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::PopFont();
}

void Legend::addIfRoom(std::string_view text) {
  compat::pushFont(context_.fonts.small, context_.fonts.smallPixels);
  if (hasRoom(legendTextWidth(text))) {
    ImGui::SameLine(0, kApart * context_.em);
    muted(context_, text);
  }
  ImGui::PopFont();
}

}  // namespace tilestep::ui
