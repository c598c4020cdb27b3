// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/appearances.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilestep::ui {
namespace {

constexpr float kEm = 16;
constexpr float kPresentedLines = 36;  ///< Window height in units of the smallest text.

}  // namespace

void togglePresentation(UiState& ui) {
  std::swap(static_cast<model::Appearance&>(ui), ui.otherLook);
  std::swap(static_cast<CameraState&>(ui), ui.otherCamera);
  ui.presenting = !ui.presenting;
}

TypeSize typeFor(const UiState& ui, float width, float height, float displayScale) {
  const float chosen = (ui.scale > 0 ? ui.scale : 1) * displayScale;
  if (!ui.presenting) return {chosen, kLeastAtDesk * chosen};
  const float least = std::min(height, width * 3 / 4) / kPresentedLines;
  return {std::max(std::ceil(least) / kEm, ui.scale * displayScale), least};
}

void stepScale(UiState& ui, int by) {
  // Presented type may be larger than the chosen scale.
  const float now = ui.scale > 0 && !ui.presenting ? ui.scale : ui.shownScale;
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
