// SPDX-License-Identifier: Apache-2.0
// Typing after a click on code that cannot be edited.
#include <algorithm>
#include <array>

#include "ui/shell/stage_keys.h"

namespace tilestep::ui {

bool leavesCode(const gfx::KeyEvent& event, const UiState& ui) {
  using gfx::Key;
  const bool next = event.text == U'n' || event.text == U'N';
  if (next && ui.stage == Stage::scene && ui.lineChosen > 0) return true;
  constexpr std::array kSteps{Key::space,  Key::left,     Key::right, Key::up, Key::down,
                              Key::pageUp, Key::pageDown, Key::home,  Key::end};
  return std::ranges::find(kSteps, event.key) != kSteps.end();
}

bool isTypedIntoCode(const gfx::KeyEvent& event, const UiState& ui) {
  const bool letter = event.text != 0 && event.text != U' ' && !event.control && !event.alt;
  return ui.codeClicked && letter;
}

}  // namespace tilestep::ui
