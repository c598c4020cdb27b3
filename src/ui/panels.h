// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ui/context.h"
#include "ui/highlight.h"

/// The panels, one a file. Each fills the ImGui window that is open when it is called, draws from
/// the snapshot alone, and sends wishes to the session.
namespace tilestep::ui {

void drawTopBar(const Context& context);
/// All that is rarely needed, and what the top bar has no room for: opens on UiState::menuWished.
void drawMenu(const Context& context);
void drawControls(const Context& context);
void drawNotices(const Context& context);
/// The newest notice, for some seconds, at the bottom of `box`: notices may be folded or far down.
void drawToast(const Context& context, const gfx::Box& box);
/// Plots and tables one below the other; while presenting one of them alone.
void drawMeasures(const Context& context);
void drawRoofline(const Context& context, float height);
void drawGains(const Context& context);
void drawTraffic(const Context& context);
/// The loads of the block as its phases pass; call it only where the snapshot has a story.
void drawStory(const Context& context, float height);
void drawHistory(const Context& context, float height);
void drawStep(const Context& context);
/// One warp instruction of the step: lanes against sectors or banks.
void drawWarp(const Context& context);
/// The chosen thread: what it reads and makes, what it does in this phase, where it stands.
void drawThread(const Context& context);
/// The main kernel's PTX, beside its source.
void drawPtx(const Context& context);
/// A line of the source that something speaks of: shown, marked, and its steps to be gone through.
void chooseLine(const Context& context, uint32_t line);
/// The execution phases, threads against phases, where the scene stands otherwise.
void drawPhaseTable(const Context& context);
void drawTransport(const Context& context);
/// The open lesson's step; writes the height it needs to UiState::lessonHeight.
void drawLesson(const Context& context);
/// A button that opens the list of lessons; nothing where there are none.
void drawLessonMenu(const Context& context);
/// Draws a window of its own while UiState::help is set.
void drawHelp(const Context& context);

/// Keeps the coloured lines of the last source.
class SourcePanel {
 public:
  void draw(const Context& context);

 private:
  void drawTabs(const Context& context, bool companion);
  void drawLine(const Context& context, size_t index, bool now, const session::LineNote* note);
  void drawNote(const Context& context, const session::LineNote& note, float x);
  void takeMouse(const Context& context, uint32_t line, ImVec2 at, float width);
  void scrollTo(const Context& context, uint32_t line);
  [[nodiscard]] size_t rowOf(const Context& context, uint32_t line) const;
  void follow(const Context& context, const std::vector<uint32_t>& lines, float lineHeight);
  [[nodiscard]] size_t firstShown(const Context& context) const;

  std::string source_;
  std::vector<SourceLine> lines_;
  size_t bodyStart_ = 0;  ///< First line after the front matter.
  std::vector<uint32_t> followed_;
};

}  // namespace tilestep::ui
