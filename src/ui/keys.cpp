// SPDX-License-Identifier: Apache-2.0
#include "ui/keys.h"

#include <algorithm>

#include "ui/layout.h"
#include "ui/looks.h"
#include "ui/save_dialog.h"

namespace tilestep::ui {
namespace {

using gfx::Key;
using gfx::KeyEvent;
using session::Move;

void changeSpeed(session::Session& session, double factor) {
  session.setSpeed(session.snapshot()->position.speed * factor);
}

void changeFirstTunable(session::Session& session, int64_t by) {
  const auto snapshot = session.snapshot();
  const compile::CatalogueEntry* entry = snapshot->entry();
  if (entry == nullptr || !entry->spec || entry->spec->tunables.empty()) return;
  const compile::TunableSpec& tunable = entry->spec->tunables.front();
  const int64_t value =
      snapshot->tunables.at(tunable.name) + by * std::max<int64_t>(tunable.step, 1);
  session.setTunable(tunable.name, std::clamp(value, tunable.minimum, tunable.maximum));
  session.endGesture();
}

void toggleLesson(session::Session& session) {
  const auto now = session.snapshot();
  if (now->lesson) return session.closeLesson();
  if (!now->lessons.empty()) session.openLesson(now->lessons.front().file);
}

/// True where a lesson is open.
bool turnPage(session::Session& session, bool forward) {
  const auto now = session.snapshot();
  if (!now->lesson) return false;
  const size_t index = now->lesson->index;
  if (forward || index > 0) session.goToLessonStep(forward ? index + 1 : index - 1);
  return true;
}

void handleControl(const KeyEvent& event, session::Session& session, UiState& ui) {
  if (event.key == gfx::keyOf('S')) toggleSaveDialog(ui);
  if (event.key == gfx::keyOf('C')) copyView(ui, session);
  if (event.key == gfx::keyOf('Z') && !event.shift) session.undo();
  if (event.key == gfx::keyOf('Y') || (event.key == gfx::keyOf('Z') && event.shift)) session.redo();
}

/// Shift and an arrow: to the neighbour of the chosen thread.
bool moveThread(const KeyEvent& event, session::Session& session, UiState& ui) {
  if (!event.shift) return false;
  const int dx = event.key == Key::right ? 1 : event.key == Key::left ? -1 : 0;
  const int dy = event.key == Key::down ? 1 : event.key == Key::up ? -1 : 0;
  if (dx == 0 && dy == 0) return false;
  session.moveThread(dx, dy);
  ui.threadView = true;
  return true;
}

bool handleStepping(const KeyEvent& event, session::Session& session) {
  switch (event.key) {
    case Key::space:
    case Key::right:
      session.move(Move::forward);
      return true;
    case Key::left:
      session.move(Move::back);
      return true;
    case Key::home:
      session.move(Move::first);
      return true;
    case Key::end:
      session.move(Move::last);
      return true;
    case Key::pageUp:
    case Key::pageDown:
      return turnPage(session, event.key == Key::pageDown);
    case Key::up:
      changeSpeed(session, 1.5);
      return true;
    case Key::down:
      changeSpeed(session, 1 / 1.5);
      return true;
    default:
      return false;
  }
}

void handleFunction(const KeyEvent& event, UiState& ui) {
  switch (event.key) {
    case Key::f1:
      ui.help = !ui.help;
      break;
    case Key::f2:
      togglePanel(ui, Panel::controls);
      break;
    case Key::f3:
      togglePanel(ui, Panel::source);
      break;
    case Key::f4:
      togglePanel(ui, Panel::measures);
      break;
    case Key::f5:
      togglePresentation(ui);
      break;
    case Key::f10:
      ui.menuWished = true;
      break;
    case Key::f12:
      ui.picture = PictureWish{freeName("", ".png"), {}};
      break;
    default:
      break;
  }
}

void handleText(char32_t text, session::Session& session, UiState& ui) {
  switch (text) {
    case U'p':
    case U'P':
      session.play(!session.snapshot()->position.playing);
      break;
    case U'1':
      session.setGrain(trace::Grain::phase);
      break;
    case U'2':
      session.setGrain(trace::Grain::epoch);
      break;
    case U'3':
      session.setGrain(trace::Grain::event);
      break;
    case U'4':
      session.stepThread();
      ui.threadView = true;
      break;
    case U'e':
    case U'E':
      session.wantTable(!session.snapshot()->tableWanted);
      break;
    case U'b':
    case U'B':
      session.takeNextBarrierAway();
      break;
    case U'x':
    case U'X':
      session.showClassic();
      break;
    case U'[':
      changeFirstTunable(session, -1);
      break;
    case U']':
      changeFirstTunable(session, +1);
      break;
    case U'+':
    case U'=':
      stepScale(ui, +1);
      break;
    case U'-':
      stepScale(ui, -1);
      break;
    case U't':
    case U'T':
      ui.theme = nextTheme(ui.theme);
      break;
    case U'f':
    case U'F':
      ui.cameraMoved = false;
      break;
    case U'm':
    case U'M':
      ui.motion = !ui.motion;
      break;
    case U'c':
    case U'C':
      if (session.snapshot()->busy.count) {
        session.cancelCount();
      } else if (session.snapshot()->countable) {
        session.countAtMeasureSize();
        ui.wholeGrid = true;
      } else if (session.snapshot()->hardwareReadable) {
        session.readHardware();
      }
      break;
    case U'g':
    case U'G':
      ui.wholeGrid = !ui.wholeGrid;
      break;
    case U's':
    case U'S':
      ui.companionSource = !ui.companionSource;
      break;
    case U'l':
    case U'L':
      toggleLesson(session);
      break;
    case U'w':
    case U'W':
      ui.warpView = ui.threadView ? ui.warpView : !ui.warpView;
      ui.threadView = false;
      break;
    case U'v':
    case U'V':
      ui.plot = nextPlot(ui.plot);
      break;
    case U'?':
      ui.help = !ui.help;
      break;
    default:
      break;
  }
}

/// True where the open save dialogue takes the key; what is typed goes to its field.
bool handleSaving(const KeyEvent& event, session::Session& session, UiState& ui) {
  if (!ui.save.open) return false;
  if (event.key == Key::escape) ui.save.open = false;
  if (event.key == Key::enter) saveView(ui, session);
  if (event.key == Key::up || event.key == Key::down)
    stepSavedView(ui, event.key == Key::up ? -1 : 1);
  if (event.control && event.key == gfx::keyOf('K')) nextFileKind(ui);
  if (event.control && event.key == gfx::keyOf('S')) toggleSaveDialog(ui);
  if (event.control && event.key == gfx::keyOf('C')) copyView(ui, session);
  return true;
}

/// True where the key moves the open help.
bool scrollHelp(const KeyEvent& event, UiState& ui) {
  if (!ui.help) return false;
  constexpr float kPage = 10;  // Lines.
  const float lines = event.key == Key::up         ? -1.0F
                      : event.key == Key::down     ? 1.0F
                      : event.key == Key::pageUp   ? -kPage
                      : event.key == Key::pageDown ? kPage
                                                   : 0.0F;
  ui.helpScroll += lines;
  return lines != 0;
}

}  // namespace

bool handleKeys(const std::vector<KeyEvent>& keys, session::Session& session, UiState& ui,
                bool typing, bool walking) {
  for (const KeyEvent& event : keys) {
    if (handleSaving(event, session, ui)) continue;
    if (event.key == Key::tab) walking = true;
    // An open list takes Esc first, and arrows and Space.
    if (event.key == Key::escape && !ui.popupOpen) {
      walking = false;
      ui.help = false;
    }
    handleFunction(event, ui);
    if (typing || ui.popupOpen || scrollHelp(event, ui)) continue;
    if (event.control) {
      handleControl(event, session, ui);
      continue;
    }
    if (event.text != 0 && !event.alt)
      handleText(event.text, session, ui);
    else if (!walking && !moveThread(event, session, ui))
      handleStepping(event, session);
  }
  return walking;
}

}  // namespace tilestep::ui
