// SPDX-License-Identifier: Apache-2.0
#include "ui/kit/key_signs.h"
#include "ui/shell/stage_keys.h"

namespace tilestep::ui {
namespace {

bool isPlot(const UiState& ui) {
  return ui.stage == Stage::roofline || ui.stage == Stage::live;
}

}  // namespace

bool handlePlot(const gfx::KeyEvent& event, UiState& ui) {
  if (!isPlot(ui)) return false;
  const int in = zoomOf(event.key);
  const std::optional<Arrow> arrow = arrowOf(event.key);
  PlotKeys& wishes = ui.plotKeys;
  if (event.control && in != 0) {
    wishes.zoom += in;
  } else if (arrow && event.alt) {
    wishes.panX += arrow->x;
    wishes.panY -= arrow->y;
  } else if (arrow && event.shift && !event.control && arrow->x != 0) {
    wishes.cursor += arrow->x;
  } else {
    return false;
  }
  return true;
}

bool handlePlotText(char32_t text, UiState& ui) {
  if (!isPlot(ui)) return false;
  switch (text) {
    case U'f':
    case U'F':
      ui.plotKeys.reset = true;
      return true;
    case U',':
      ui.plotKeys.otherY = true;
      return true;
    case U'.':
      ui.plotKeys.otherX = true;
      return true;
    default:
      return false;
  }
}

}  // namespace tilestep::ui
