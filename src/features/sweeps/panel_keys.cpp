// SPDX-License-Identifier: Apache-2.0
// Keyboard control of the sweeps panel.
#include "features/sweeps/panel.h"
#include "features/sweeps/view.h"

namespace tilestep::features {
namespace {

using gfx::Key;
using gfx::KeyEvent;

bool walk(const KeyEvent& event, const SweepView* view, UiState& ui) {
  if (!event.alt || view == nullptr) return false;
  const int dx = event.key == Key::right ? 1 : event.key == Key::left ? -1 : 0;
  const int dy = event.key == Key::up ? 1 : event.key == Key::down ? -1 : 0;
  if (dx == 0 && dy == 0) return false;
  ui.sweepAt = neighbourOf(*view, ui.sweepAt, dx, dy);
  ui.sweepMoved = true;
  return true;
}

void runOrCancel(model::Session& session) {
  if (session.snapshot()->view<SweepsView>().progress.running)
    session.apply(model::command("sweeps.cancel"));
  else
    session.apply(model::command("sweeps.run", false));
}

bool handleLetter(char32_t text, model::Session& session, UiState& ui, const SweepView* view) {
  switch (text) {
    case U'c':
    case U'C':
      runOrCancel(session);
      return true;
    case U'u':
    case U'U':
      nextSweepKind(ui);
      return true;
    case U'y':
    case U'Y':
      nextSweepQuantity(ui, view);
      return true;
    case U'.':
    case U',':
      nextSweepAxes(ui, view, text == U'.' ? 1 : -1);
      return true;
    default:
      return false;
  }
}

}  // namespace

bool handleSweep(const KeyEvent& event, model::Session& session, UiState& ui) {
  if (ui.stage != Stage::sweeps || event.control) return false;
  if (event.shift && event.text == 0) return false;  // Shift only makes letters capitals.
  const auto now = session.snapshot();
  const SweepView* view = now->view<SweepsView>().picture.get();
  if (walk(event, view, ui)) return true;
  if (event.key == Key::enter) {
    if (ui.sweepAt && session.apply(model::command("sweeps.go", *ui.sweepAt)))
      ui.sweepAt.reset();
    else if (!ui.sweepAt)
      runOrCancel(session);
    return true;
  }
  if (event.key == Key::escape && ui.sweepAt) {
    ui.sweepAt.reset();
    return true;
  }
  return event.text != 0 && !event.alt && handleLetter(event.text, session, ui, view);
}

}  // namespace tilestep::features
