// SPDX-License-Identifier: Apache-2.0
// What is typed after a click on code that is only shown.
#include "ui/shell/stage_keys.h"

namespace tilestep::ui {

bool isTypedIntoCode(const gfx::KeyEvent& event, const UiState& ui) {
  const bool letter = event.text != 0 && event.text != U' ' && !event.control && !event.alt;
  const bool next = ui.stage == Stage::scene && (event.text == U'n' || event.text == U'N');
  return ui.codeClicked && letter && !next;
}

}  // namespace tilestep::ui
