// SPDX-License-Identifier: Apache-2.0
#include "features/cube/panel.h"
#include "ui/kit/key_signs.h"

namespace tilestep::features {

bool handleCube(const gfx::KeyEvent& event, UiState& ui) {
  const bool plain = !event.control && !event.alt;
  if (plain && event.text == U'.' && (ui.stage == Stage::scene || ui.stage == Stage::cube)) {
    ui.stage = ui.stage == Stage::cube ? Stage::scene : Stage::cube;
    return true;
  }
  if (ui.stage != Stage::cube) return false;
  constexpr float kDegrees = 5;
  if (const std::optional<Arrow> arrow = arrowOf(event.key); arrow && event.alt) {
    ui.cube.turn(kDegrees * static_cast<float>(arrow->x), kDegrees * static_cast<float>(arrow->y));
    return true;
  }
  if (plain && (event.text == U'f' || event.text == U'F')) {
    ui.cube = {};
    return true;
  }
  if (plain && (event.text == U'z' || event.text == U'Z')) {
    ui.cube.blockAlone = !ui.cube.blockAlone;
    return true;
  }
  return false;
}

}  // namespace tilestep::features
