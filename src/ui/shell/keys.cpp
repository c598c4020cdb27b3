// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/keys.h"

#include <algorithm>
#include <string_view>

#include "features/panel_registry.h"
#include "model/choice/planning.h"
#include "ui/kit/key_signs.h"
#include "ui/shell/appearances.h"
#include "ui/shell/help/glossary.h"
#include "ui/shell/layout.h"
#include "ui/shell/open_dialog.h"
#include "ui/shell/palette.h"
#include "ui/shell/saving/save_dialog.h"
#include "ui/shell/stage_keys.h"

namespace tilestep::ui {
namespace {

using gfx::Key;
using gfx::KeyEvent;
using model::Move;

void changeSpeed(model::Session& session, double factor) {
  session.apply(model::command("steps.speed", session.snapshot()->position.speed * factor));
}

void moveBlock(model::Session& session, Arrow by) {
  const auto now = session.snapshot();
  if (!now->plan || now->plan->launches.empty()) return;
  const Dim3& grid = now->plan->launches.front().grid;
  Dim3 block = model::clampToGrid(now->choice.block, grid);
  const auto moved = [](uint32_t at, int step, uint32_t count) {
    return static_cast<uint32_t>(
        std::clamp<int64_t>(int64_t{at} + step, 0, int64_t{std::max(count, 1U)} - 1));
  };
  block.x = moved(block.x, by.x, grid.x);
  block.y = moved(block.y, by.y, grid.y);
  session.apply(model::command("choice.block", block));
}

void zoom(UiState& ui, const model::Snapshot& now, float factor) {
  const gfx::Box box = ui.boxOf("scene");
  const float scenes = now.companion ? 2 : 1;
  ui.camera.zoomAt({box.width / scenes / 2, box.height / 2}, factor);
  ui.cameraMoved = true;
}

void pan(UiState& ui, Arrow by) {
  const float step = 64 * ui.shownScale;
  ui.camera.pan(-step * static_cast<float>(by.x), -step * static_cast<float>(by.y));
  ui.cameraMoved = true;
}

/// Ctrl with a panel's key makes the panel larger; Shift makes it smaller. Sizes are in pixels at
/// scale 1; 0 means automatic.
bool resizePanel(const KeyEvent& event, UiState& ui) {
  if (!event.control && !event.shift) return false;
  float* size = event.key == Key::f2   ? &ui.controlsWidth
                : event.key == Key::f3 ? &ui.sourceHeight
                : event.key == Key::f4 ? &ui.measuresWidth
                                       : nullptr;
  if (size == nullptr) return false;
  constexpr float kControls = 272, kSource = 240, kMeasures = 416, kStep = 32;
  const float automatic = event.key == Key::f2   ? kControls
                          : event.key == Key::f3 ? kSource
                                                 : kMeasures;
  const float now = *size > 0 ? *size : automatic;
  *size = std::max(now + (event.control ? kStep : -kStep), 3 * kStep);
  return true;
}

void handleControl(const KeyEvent& event, model::Session& session, UiState& ui) {
  if (const std::optional<Arrow> arrow = arrowOf(event.key)) return moveBlock(session, *arrow);
  constexpr float kZoom = 1.25F;
  if (const int in = zoomOf(event.key); in != 0)
    zoom(ui, *session.snapshot(), in > 0 ? kZoom : 1 / kZoom);
  if (event.key == gfx::keyOf('S')) toggleSaveDialog(ui, *session.snapshot());
  if (event.key == gfx::keyOf('C')) copyView(ui, session);
  if (event.key == gfx::keyOf('Z') && !event.shift) session.undo();
  if (event.key == gfx::keyOf('Y') || (event.key == gfx::keyOf('Z') && event.shift)) session.redo();
}

/// Shift and an arrow key select a neighbour of the chosen thread.
bool moveThread(const KeyEvent& event, model::Session& session, UiState& ui) {
  if (!event.shift) return false;
  const int dx = event.key == Key::right ? 1 : event.key == Key::left ? -1 : 0;
  const int dy = event.key == Key::down ? 1 : event.key == Key::up ? -1 : 0;
  if (dx == 0 && dy == 0) return false;
  session.apply(model::command("threads.move", dx, dy));
  ui.threadView = true;
  ui.ptxView = false;
  return true;
}

bool handleStepping(const KeyEvent& event, model::Session& session) {
  switch (event.key) {
    case Key::space:
    case Key::right:
      session.apply(model::command("steps.move", Move::forward));
      return true;
    case Key::left:
      session.apply(model::command("steps.move", Move::back));
      return true;
    case Key::home:
      session.apply(model::command("steps.move", Move::first));
      return true;
    case Key::end:
      session.apply(model::command("steps.move", Move::last));
      return true;
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
  if (resizePanel(event, ui)) return;
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
    case Key::f7:
      toggleGlossary(ui);
      break;
    case Key::f8:
      toggleDensity(ui);
      break;
    case Key::f10:
      ui.menuWished = true;
      break;
    case Key::f11:
      ui.card.folded = !ui.card.folded;
      break;
    case Key::f12:
      ui.wish = SaveWish{SaveAs::window, freeName("window", ".png"), {}, false};
      break;
    default:
      break;
  }
}

/// Handles the keys that choose what the stage shows; false for other keys.
bool handleStages(char32_t text, UiState& ui) {
  static_assert(model::kStageKeys.size() <= model::kStages);
  const size_t at =
      text < 128 ? model::kStageKeys.find(static_cast<char>(text)) : std::string::npos;
  if (at == std::string::npos) return false;
  ui.stage = static_cast<Stage>(at);
  return true;
}

void handleText(char32_t text, model::Session& session, UiState& ui) {
  if (handlePlotText(text, ui)) return;
  switch (text) {
    case U'p':
    case U'P':
      session.apply(model::command("steps.play", !session.snapshot()->position.playing));
      break;
    case U'1':
      session.apply(model::command("steps.grain", trace::StepGranularity::phase));
      break;
    case U'2':
      session.apply(model::command("steps.grain", trace::StepGranularity::epoch));
      break;
    case U'3':
      session.apply(model::command("steps.grain", trace::StepGranularity::event));
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
    case U'z':
    case U'Z':
      ui.blockWished = true;
      break;
    case U'm':
    case U'M':
      ui.motion = !ui.motion;
      break;
    case U'c':
    case U'C':
      if (session.snapshot()->busy.count) {
        session.apply(model::command("figures.cancel"));
      } else if (session.snapshot()->countable) {
        session.apply(model::command("figures.count"));
        ui.wholeGrid = true;
      } else if (session.snapshot()->hardwareReadable) {
        session.apply(model::command("figures.hardware"));
      }
      break;
    case U'v':
    case U'V':
      ui.goToNextPlot();
      break;
    case U'?':
      ui.help = !ui.help;
      break;
    case U'j':
    case U'J':
      ui.goToWished = true;
      break;
    default:
      if (handleStages(text, ui)) return;
      for (const std::unique_ptr<FeaturePanel>& feature : features::panels())
        if (feature->takeText(text, session, ui)) return;
      break;
  }
}

/// True while the save dialogue is open. It takes all keys, and typed text goes to its field.
bool handleSaving(const KeyEvent& event, model::Session& session, UiState& ui) {
  if (!ui.save.open) return false;
  if (event.key == Key::escape) ui.save.open = false;
  if (event.key == Key::enter) saveView(ui, session);
  if (event.key == Key::up || event.key == Key::down)
    stepSavedView(ui, *session.snapshot(), event.key == Key::up ? -1 : 1);
  if (event.control && event.key == gfx::keyOf('K')) nextFileKind(ui, *session.snapshot());
  if (event.control && event.key == gfx::keyOf('P')) togglePrintColours(ui, *session.snapshot());
  if (event.control && event.key == gfx::keyOf('S')) toggleSaveDialog(ui, *session.snapshot());
  if (event.control && event.key == gfx::keyOf('C')) copyView(ui, session);
  return true;
}

/// True while the palette is open. It takes all keys, and typed text goes to its field.
bool handlePalette(const KeyEvent& event, UiState& ui) {
  const bool toggles = event.control && event.key == gfx::keyOf('K');
  if (!ui.palette.open && (!toggles || ui.popupOpen)) return false;
  if (toggles || event.key == Key::escape) togglePalette(ui);
  PaletteState& palette = ui.palette;
  if (event.key == Key::enter) palette.chosen = true;
  constexpr int kPage = 10;
  const int by = event.key == Key::up         ? -1
                 : event.key == Key::down     ? 1
                 : event.key == Key::pageUp   ? -kPage
                 : event.key == Key::pageDown ? kPage
                                              : 0;
  palette.at = std::max(0, palette.at + by);
  palette.moved = palette.moved || by != 0;
  return true;
}

/// True while the dialogue that opens a file is open. It takes all keys, and typed text goes to its
/// field.
bool handleOpening(const KeyEvent& event, UiState& ui) {
  const bool toggles = event.control && event.key == gfx::keyOf('O');
  if (!ui.openDialog.open && !toggles) return false;
  constexpr int kPage = 10;
  if (toggles || event.key == Key::escape) toggleOpenDialog(ui);
  if (event.key == Key::enter) takeOpenDialog(ui);
  if (event.key == Key::up) stepOpenDialog(ui, -1);
  if (event.key == Key::down) stepOpenDialog(ui, 1);
  if (event.key == Key::pageUp) stepOpenDialog(ui, -kPage);
  if (event.key == Key::pageDown) stepOpenDialog(ui, kPage);
  return true;
}

/// Esc ends only the innermost of these: a field's input, keyboard navigation, the help, the code's
/// focus, the lesson. During a presentation the lesson stays open, because remote controls send Esc
/// to end a presentation.
void handleEscape(model::Session& session, UiState& ui, bool typing, bool walking) {
  const bool inner = typing || walking || ui.help || ui.codeClicked;
  ui.help = ui.codeClicked = false;
  if (!inner && !ui.presenting) session.apply(model::command("lessons.close"));
}

/// True if the help is open and the key scrolls it.
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

/// Whether a feature handles the key when its turn comes.
bool offer(KeyTurn turn, const KeyEvent& event, model::Session& session, UiState& ui) {
  return std::ranges::any_of(features::panels(), [&](const std::unique_ptr<FeaturePanel>& feature) {
    return feature->handleKey(turn, event, session, ui);
  });
}

}  // namespace

void beginFirstMinute(model::Session& session, UiState& ui) {
  ui.density = model::Density::lesson;
  ui.stage = Stage::scene;
  ui.warpView = ui.threadView = ui.ptxView = false;
  session.apply(model::command("first_minute.begin"));
}

bool handleKeys(const std::vector<KeyEvent>& keys, model::Session& session, UiState& ui,
                bool typing, bool walking) {
  for (const KeyEvent& event : keys) {
    if (handleSaving(event, session, ui) || handleOpening(event, ui)) continue;
    if (handlePalette(event, ui) || offer(KeyTurn::overlay, event, session, ui)) continue;
    if (leavesCode(event, ui)) ui.codeClicked = false;
    const bool leavesField = typing && event.key == Key::escape;
    if (!ui.popupOpen && !ui.help && !leavesField && offer(KeyTurn::page, event, session, ui))
      continue;
    if (!typing && offer(KeyTurn::choice, event, session, ui)) continue;
    if (!typing && !ui.popupOpen && isTypedIntoCode(event, ui)) continue;
    const bool free = !typing && !walking && !ui.popupOpen && !ui.help;
    if (free && offer(KeyTurn::sweep, event, session, ui)) continue;
    if (event.key == Key::escape && ui.glossary.open) {
      ui.glossary.open = false;
      continue;
    }
    if (free && offer(KeyTurn::tour, event, session, ui)) continue;
    if (event.key == Key::tab && !ui.codeTyping) walking = true;
    // An open list handles Esc, arrows and Space itself.
    if (event.key == Key::escape && !ui.popupOpen) {
      handleEscape(session, ui, typing, walking);
      walking = false;
    }
    handleFunction(event, ui);
    if (event.key == Key::f9) beginFirstMinute(session, ui);
    if (event.key == Key::f6) session.apply(model::command("tuning.best"));
    if (typing || ui.popupOpen || scrollHelp(event, ui)) continue;
    if (!(walking && event.key == Key::enter) && offer(KeyTurn::stage, event, session, ui))
      continue;
    if (handlePlot(event, ui)) continue;
    if (event.control) {
      handleControl(event, session, ui);
      continue;
    }
    if (const std::optional<Arrow> arrow = arrowOf(event.key); arrow && event.alt) {
      pan(ui, *arrow);
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
