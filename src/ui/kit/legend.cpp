// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/legend.h"

#include <utility>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

constexpr float kApart = 1.2F;  ///< Em, between two entries.

float legendTextWidth(std::string_view text) {
  return ImGui::CalcTextSize(text.data(), text.data() + text.size()).x;
}

}  // namespace

Legend::Legend(const Context& context)
    : context_(context), right_(ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x) {}

bool Legend::hasRoom(float width) const {
  return ImGui::GetItemRectMax().x + kApart * context_.em + width <= right_;
}

void Legend::add(std::string_view text, const DrawMark& mark) {
  const float cell = 0.9F * context_.fonts.smallPixels, gap = 0.4F * context_.em;
  compat::pushFont(context_.fonts.small, context_.fonts.smallPixels);
  const float width = cell + gap + legendTextWidth(text);
  if (!std::exchange(isFirst_, false) && hasRoom(width)) ImGui::SameLine(0, kApart * context_.em);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + (ImGui::GetTextLineHeight() - cell) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  mark(list, {at.x, y}, {at.x + cell, y + cell});
  list.AddText({at.x + cell + gap, at.y}, colour(context_.palette.text), text.data(),
               text.data() + text.size());
  ImGui::Dummy({width, ImGui::GetTextLineHeight()});
  ImGui::PopFont();
}

void Legend::add(std::string_view text, gfx::Color fill) {
  add(text, [fill](ImDrawList& list, ImVec2 min, ImVec2 max) {
    list.AddRectFilled(min, max, colour(fill));
  });
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
