// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/cover.h"

#include <algorithm>

#include "ui/kit/widgets.h"

namespace tilestep::ui {
namespace {

/// Lays items out without showing them: outside the clip rectangle they are neither drawn nor
/// hovered.
void drawUnseen(const std::function<void()>& draw) {
  const ImVec2 nowhere{-1e6F, -1e6F};
  ImGui::PushClipRect(nowhere, nowhere, false);
  ImGui::BeginDisabled();
  draw();
  ImGui::EndDisabled();
  ImGui::PopClipRect();
}

}  // namespace

void drawCover(const Context& context, ImVec2 min, ImVec2 max, const std::string& text) {
  if (max.x <= min.x || max.y <= min.y) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(min, max, colour(context.palette.text, 0.05F), 0.35F * context.em);
  const bool low = max.y - min.y < 4 * context.em;
  compat::pushFont(low ? context.fonts.small : context.fonts.text,
                   low ? context.fonts.smallPixels : context.fonts.textPixels);
  const std::string cut = cutTo(text, max.x - min.x - context.em);
  const ImVec2 size = ImGui::CalcTextSize(cut.c_str());
  list.AddText({min.x + (max.x - min.x - size.x) / 2, min.y + (max.y - min.y - size.y) / 2},
               colour(context.palette.mutedText), cut.c_str());
  ImGui::PopFont();
}

bool isHeldBack(const Context& context, const model::Notice& notice) {
  return notice.kind == model::Notice::Kind::warning && context.snapshot.shown.asks;
}

void coverWindow(const Context& context, const std::string& text) {
  const ImVec2 at = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float margin = std::min(0.6F * context.em, 0.1F * size.y);
  drawCover(context, {at.x + margin, at.y + margin},
            {at.x + size.x - margin, at.y + size.y - margin}, text);
}

bool isCovered(const Context& context, model::Covered area) {
  return context.snapshot.shown.covers(area);
}

void coverable(const Context& context, model::Covered area, const std::function<void()>& draw) {
  if (!isCovered(context, area)) return draw();
  drawUnseen(draw);
  coverWindow(context, kCoveredText);
}

void coverablePart(const Context& context, model::Covered area, const std::function<void()>& draw) {
  if (!isCovered(context, area)) return draw();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  drawUnseen(draw);
  const float gap = ImGui::GetStyle().ItemSpacing.y;
  drawCover(context, at, {at.x + width, ImGui::GetCursorScreenPos().y - gap}, kCoveredText);
}

}  // namespace tilestep::ui
