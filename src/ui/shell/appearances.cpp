// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/appearances.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::ui {
namespace {

constexpr float kEm = 16;
/// The least size of a presentation, in pixels at scale 1: two scenes and a plot side by side,
/// below a sentence.
constexpr float kPresentationWidth = 58 * kEm, kPresentationHeight = 33 * kEm;

}  // namespace

void togglePresentation(UiState& ui) {
  std::swap(static_cast<model::Appearance&>(ui), ui.otherLook);
  std::swap(static_cast<View&>(ui), ui.otherView);
  ui.presenting = !ui.presenting;
}

float scaleFor(const UiState& ui, float width, float height) {
  if (ui.scale > 0) return ui.scale;
  if (!ui.presenting) return 1;
  const float fits = std::min(width / kPresentationWidth, height / kPresentationHeight);
  float best = 1;
  for (const float scale : kScales)
    if (scale <= fits) best = std::max(best, scale);
  return best;
}

float labelShareFor(float width, float height, int scenes) {
  constexpr float kSentence = 2.6F, kEnoughHeight = 13, kEnoughWidth = 17;
  constexpr std::array<float, 5> kShares{0.4F, 0.55F, 0.7F, 0.85F, 1};
  const float fits = std::min((height - kSentence) / kEnoughHeight,
                              width / static_cast<float>(std::max(scenes, 1)) / kEnoughWidth);
  float best = kShares.front();
  for (const float share : kShares)
    if (share <= fits) best = share;
  return best;
}

float labelShareOf(const UiState& ui, bool twoScenes, float em, float before) {
  constexpr float kMostPresenting = 0.55F;  // Labels leave more room to the cells.
  const gfx::Box box = ui.boxOf("scene");
  float share = before;
  if (box.width > 0 && box.height > 0)
    share = labelShareFor(box.width / em, box.height / em, twoScenes ? 2 : 1);
  return ui.presenting ? std::min(share, kMostPresenting) : share;
}

void stepScale(UiState& ui, int by) {
  const float now = ui.scale > 0 ? ui.scale : ui.shownScale;
  const auto nearest =
      std::ranges::min_element(kScales, {}, [now](float scale) { return std::fabs(scale - now); });
  const auto index = nearest - kScales.begin() + by;
  const auto last = static_cast<std::ptrdiff_t>(kScales.size()) - 1;
  ui.scale = kScales[static_cast<size_t>(std::clamp<std::ptrdiff_t>(index, 0, last))];
}

model::AppearanceSet looksOf(const UiState& ui) {
  model::AppearanceSet looks{ui, ui.otherLook, ui};
  if (ui.presenting) std::swap(looks.desk, looks.presentation);
  return looks;
}

void setLooks(UiState& ui, const model::AppearanceSet& looks) {
  static_cast<model::Appearance&>(ui) = ui.presenting ? looks.presentation : looks.desk;
  ui.otherLook = ui.presenting ? looks.desk : looks.presentation;
  static_cast<model::ViewOptions&>(ui) = looks.switches;
}

void syncLooks(UiState& ui, model::Session& session, bool gesture) {
  if (ui.looksTakenBack != session.looksTakenBack()) {
    ui.looksTakenBack = session.looksTakenBack();
    return setLooks(ui, session.looks());
  }
  session.setLooks(looksOf(ui));
  if (!gesture) session.endGesture();
}

}  // namespace tilestep::ui
