// SPDX-License-Identifier: Apache-2.0
// Keyboard control of the lab's prediction.
#include "features/labs/view.h"
#include "ui/shell/stage_keys.h"

namespace tilestep::features {

bool handlePrediction(const gfx::KeyEvent& event, model::Session& session) {
  if (!session.snapshot()->view<LabsView>().predicting) return false;
  switch (event.key) {
    case gfx::Key::pageDown:
      session.apply(model::command("labs.skip"));
      return true;
    case gfx::Key::pageUp:  // A lesson that is open behind it does not change.
      return true;
    case gfx::Key::escape:
      session.apply(model::command("labs.leave"));
      return true;
    default:
      return false;
  }
}

}  // namespace tilestep::features
