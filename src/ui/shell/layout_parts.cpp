// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/layout_parts.h"

#include <algorithm>
#include <cmath>

namespace tilestep::ui {
namespace {

constexpr float kLeastPresentedHeight = 17;  // em

}  // namespace

float chosenOr(float chosen, float automatic, float scale) {
  return chosen > 0 ? chosen * scale : automatic;
}

const PanelWish& wish(const UiState& ui, Panel panel) {
  return ui.panels[static_cast<size_t>(panel)];
}

bool showsListing(const UiState& ui) {
  return ui.stage == Stage::exercises && ui.exerciseOpen;
}

float controlsWidth(const UiState& ui, float width, float em) {
  const float automatic = std::clamp(0.17F * width, 15.5F * em, 19 * em);
  return std::round(std::clamp(chosenOr(ui.controlsWidth, automatic, em / 16), 13 * em,
                               std::max(13 * em, 0.35F * width)));
}

float gapOf(float height, float em) {
  return std::round((isLow(height, em) ? 0.2F : 0.4F) * em);
}

float topHeightOf(float height, float em) {
  return std::round((isLow(height, em) ? 2.6F : 2.9F) * em);
}

float transportHeightOf(const UiState& ui, float width, float height, float em) {
  if (ui.withoutTransport) return 0;
  if (isVeryLow(height, em)) return std::round(2.9F * em);
  if (ui.presenting) return std::round(3.5F * em);
  if (isLessonBeside(ui, width, em)) return std::round(3.1F * em);
  return std::round((isLow(height, em) ? 4.2F : 5.9F) * em);
}

float statusHeightOf(const UiState& ui, float width, float height, float em) {
  constexpr float kLeast = 36;  // em
  const bool hasNone = ui.presenting || isLessonBeside(ui, width, em) || height < kLeast * em;
  return hasNone ? 0 : std::round(1.5F * em);
}

float codeHeightOf(const UiState& ui, unsigned most, float stage, float em) {
  if (ui.stage != Stage::scene) return 0;
  constexpr float kLine = 1.25F, kPadding = 1.3F;  // em
  // The scene is about the line of the removed barrier, so that line takes precedence.
  const bool isRemoved = most > LayoutNeeds{}.runningLines;
  const float least = isRemoved ? kLeastBesideNotice : kLeastPresentedHeight;
  for (unsigned lines = most; lines >= 2; --lines) {
    const float height = std::ceil((kLine * static_cast<float>(lines) + kPadding) * em);
    if (stage - height >= least * em) return height;
  }
  return 0;
}

float middleHeightOf(const UiState& ui, float width, float height, float em) {
  const float gap = gapOf(height, em);
  return std::max(height - topHeightOf(height, em) - transportHeightOf(ui, width, height, em) -
                      statusHeightOf(ui, width, height, em) - 3 * gap,
                  4 * em);
}

void placeSource(const UiState& ui, const gfx::Box& row, float gap, float em, PanelLayout& out) {
  const bool isWide = row.width >= 34 * em;
  if (!isWide && ui.stageCovered && !ui.stepCovered && ui.panelServes) {
    const float half = std::round((row.height - gap) / 2);
    out.source = {row.x, row.y, row.width, half};
    out.step = {row.x, row.y + half + gap, row.width, row.height - half - gap};
    return;
  }
  const bool both = isWide || ui.stageCovered;
  const float stepWidth =
      both ? std::round(std::clamp(0.42F * row.width, 14 * em, 40 * em)) : row.width;
  // In the lesson's density, and for an exercise, the source fills the row until a view of the step
  // is chosen or requested by a lesson's step.
  const bool listing = ui.inLessonDensity() || showsListing(ui);
  const bool chosen = ui.warpView || ui.threadView || ui.ptxView || ui.panelServes;
  const bool sourceAlone = (listing && !chosen) || (ui.stageCovered && ui.stepCovered);
  if (sourceAlone)
    out.source = row;
  else if (both)
    out.source = {row.x, row.y, row.width - stepWidth - gap, row.height};
  if (!sourceAlone) out.step = {row.x + row.width - stepWidth, row.y, stepWidth, row.height};
  if (!ui.stageCovered) out.sourceGrip = {row.x, row.y - gap, row.width, gap};
}

}  // namespace tilestep::ui
