// SPDX-License-Identifier: Apache-2.0
#include "ui/layout.h"

#include <algorithm>
#include <cmath>

namespace tilestep::ui {
namespace {

float chosenOr(float chosen, float automatic, float scale) {
  return chosen > 0 ? chosen * scale : automatic;
}

}  // namespace

PanelLayout layOut(const UiState& ui, float width, float height, float em) {
  const float gap = std::round(0.4F * em);
  const float scale = em / 16;  // Widths are kept for a 16-pixel font.
  const float topHeight = std::round(2.9F * em), transportHeight = std::round(5.9F * em);
  const float middleTop = topHeight + gap;
  const float middleHeight = std::max(height - topHeight - transportHeight - 3 * gap, 8 * em);
  float left = 0, right = 0;
  if (ui.showControls)
    left = std::clamp(
        chosenOr(ui.controlsWidth, std::clamp(0.17F * width, 15.5F * em, 19 * em), scale), 13 * em,
        std::max(13 * em, 0.35F * width));
  if (ui.showMeasures)
    right = std::clamp(
        chosenOr(ui.measuresWidth, std::clamp(0.26F * width, 22.5F * em, 30 * em), scale), 18 * em,
        std::max(18 * em, 0.45F * width));
  left = std::round(left);
  right = std::round(right);
  PanelLayout out;
  out.top = {gap, gap, width - 2 * gap, topHeight - gap};
  const float sceneLeft = gap + (left > 0 ? left + gap : 0);
  const float sceneWidth =
      std::max(width - sceneLeft - gap - (right > 0 ? right + gap : 0), 4 * em);
  if (left > 0) {
    out.controls = {gap, middleTop, left, middleHeight};
    out.controlsGrip = {gap + left, middleTop, gap, middleHeight};
  }
  if (right > 0) {
    out.measures = {sceneLeft + sceneWidth + gap, middleTop, right, middleHeight};
    out.measuresGrip = {sceneLeft + sceneWidth, middleTop, gap, middleHeight};
  }
  float below = 0;
  if (ui.showSource)
    below = std::clamp(
        chosenOr(ui.sourceHeight, (middleHeight < 48 * em ? 0.2F : 0.29F) * middleHeight, scale),
        6 * em, std::max(6 * em, 0.7F * middleHeight));
  below = std::round(below);
  out.scene = {sceneLeft, middleTop, sceneWidth, middleHeight - (below > 0 ? below + gap : 0)};
  if (below > 0) {
    const float top = middleTop + middleHeight - below;
    const float stepWidth = std::round(std::clamp(0.42F * sceneWidth, 14 * em, 40 * em));
    out.source = {sceneLeft, top, sceneWidth - stepWidth - gap, below};
    out.step = {sceneLeft + sceneWidth - stepWidth, top, stepWidth, below};
    out.sourceGrip = {sceneLeft, top - gap, sceneWidth, gap};
  }
  out.transport = {gap, middleTop + middleHeight + gap, width - 2 * gap, transportHeight - gap};
  return out;
}

}  // namespace tilestep::ui
