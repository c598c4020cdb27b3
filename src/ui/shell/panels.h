// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "features/source/panel_highlight.h"
#include "ui/kit/context.h"

namespace tilestep::model {
struct PhaseTable;  // features/phases/phase_table.h
}

/// The panels, one a file. Each fills the ImGui window that is open when it is called, draws from
/// the snapshot alone, and sends wishes to the session.
namespace tilestep::ui {

void drawTopBar(const Context& context);
/// All that is rarely needed, and what the top bar has no room for: opens on UiState::menuWished.
void drawMenu(const Context& context);
void drawControls(const Context& context);
/// The kernel beside the main one: which, its tunables, swapping.
void drawBeside(const Context& context);
void drawNotices(const Context& context);
/// The newest notice, for some seconds, at the bottom of `box`, where the notices themselves are
/// folded or too far down to be seen.
void drawToast(const Context& context, const gfx::Box& box);
/// Plots and tables one below the other; while presenting one of them alone.
void drawMeasures(const Context& context);
/// What can stand in the middle of the window, to choose from.
void drawStageTabs(const Context& context);
/// What stands there instead of the scene.
void drawStage(const Context& context);
void drawStep(const Context& context);
/// One warp instruction of the step: lanes against sectors or banks.
void drawWarp(const Context& context);
/// The chosen thread: what it reads and makes, what it does in this phase, where it stands.
void drawThread(const Context& context);
/// The main kernel's PTX, beside its source.
void drawPtx(const Context& context);
/// A line of the source that something speaks of: shown, marked, and its steps to be gone through.
void chooseLine(const Context& context, uint32_t line);
void drawTransport(const Context& context);
/// The open lesson's step; writes the height it needs to UiState::lessonHeight.
void drawLesson(const Context& context);
/// A button that opens the list of lessons; nothing where there are none.
void drawLessonMenu(const Context& context);
/// Draws a window of its own while UiState::help is set.
void drawHelp(const Context& context);

/// Where a phase's columns of the table of execution phases stand, pixels.
struct PhaseColumns {
  std::vector<float> width;  ///< One an operand, then what the sum gains where there are sums.
  float name = 0;
  size_t lines = 1;  ///< Of text in a row.
  [[nodiscard]] float phase() const {
    float sum = 0;
    for (const float w : width) sum += w;
    return sum;
  }
  [[nodiscard]] float total(size_t phases) const {
    return name + phase() * static_cast<float>(phases);
  }
};

/// The execution phases, threads against phases, where the scene stands otherwise. Keeps the
/// columns' widths, for which all cells are looked at.
class PhaseTablePanel {
 public:
  void draw(const Context& context);

 private:
  void measure(const std::shared_ptr<const model::PhaseTable>& table, const Fonts& fonts);

  std::shared_ptr<const model::PhaseTable> measuredOf_;
  const ImFont* measuredWith_ = nullptr;
  float measuredAt_ = 0;
  PhaseColumns large_, small_;
};

/// Keeps the coloured lines of the last source.
class SourcePanel {
 public:
  void draw(const Context& context);

 private:
  void take(const std::string& text);
  void drawTabs(const Context& context, bool companion);
  void drawLine(const Context& context, size_t index, bool now, const model::LineNote* note);
  void drawNote(const Context& context, const model::LineNote& note, float x);
  void takeMouse(const Context& context, uint32_t line, ImVec2 at, float width);
  void scrollTo(const Context& context, uint32_t line);
  [[nodiscard]] size_t rowOf(const Context& context, uint32_t line) const;
  void follow(const Context& context, const std::vector<uint32_t>& lines, float lineHeight);
  [[nodiscard]] size_t firstShown(const Context& context) const;

  std::string source_;
  std::vector<SourceLine> lines_;
  size_t bodyStart_ = 0;  ///< First line after the front matter.
  std::vector<uint32_t> followed_;
  uint32_t faulty_ = 0;  ///< The line at fault that was scrolled to.
};

}  // namespace tilestep::ui
