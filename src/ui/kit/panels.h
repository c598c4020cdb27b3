// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ui/kit/context.h"
#include "ui/kit/legend.h"

/// The panels, one per file of ui/shell or of a feature. Each fills the current ImGui window, draws
/// only from the snapshot, and sends commands to the session.
namespace tilestep::ui {

void drawTopBar(const Context& context);
/// The menu of rarely needed actions and of those that the top bar has no room for. Opens when
/// UiState::menuWished is set.
void drawMenu(const Context& context);
void drawControls(const Context& context);
/// The kernel and its tunables alone, for the lesson's density.
void drawLessonControls(const Context& context);
/// The slider of the tunable that the plot of speeds is over, otherwise of the one that was moved
/// last or the kernel's first one; nothing where the kernel has none. It takes the height that
/// heightOfPresentedTunable returns.
void drawPresentedTunable(const Context& context);
[[nodiscard]] float heightOfPresentedTunable(const Context& context);
/// The lines of a list to choose the device from.
void drawDeviceItems(const Context& context);
/// A button that chooses a recording for times; nothing if there is none.
void drawOpenRecording(const Context& context);
/// A list to choose the kernel from.
void drawKernelChoice(const Context& context);
void drawNotices(const Context& context);
/// Shows the newest notice for some seconds at the bottom of `box`, or from its top downwards where
/// it is higher than the box, unless the list of notices is visible.
void drawToast(const Context& context, const gfx::Box& box);
/// The newest notice on one line, with the others a click away; without any, what the worker does,
/// or the keys to begin with.
void drawStatus(const Context& context);
/// Plots and tables one below the other; only one of them while presenting.
void drawMeasures(const Context& context);
/// Tabs that choose what the stage (the middle of the window) shows.
void drawStageTabs(const Context& context);
/// Draws the stage when it does not show the scene.
void drawStage(const Context& context);
/// The meanings of the marks that are on the stage now, without those of the scene.
[[nodiscard]] std::vector<LegendMark> stageMarks(const Context& context);
void drawStep(const Context& context);
/// Each thread's part in the step.
void drawThreads(const Context& context);
void drawTransport(const Context& context);
/// Covers the window while a web page is written, says how far it is, and can stop it.
void drawPageProgress(const Context& context);
/// Draws a window of its own while UiState::help is set.
void drawHelp(const Context& context);

}  // namespace tilestep::ui

namespace tilestep::features {

struct PhaseTable;  // features/phases/phase_table.h

/// The controls of the kernel that is compared with the main one: which one, its tunables,
/// swapping.
void drawComparison(const ui::Context& context);
/// One warp instruction of the step: its lanes, and the sectors or banks that they access.
void drawWarp(const ui::Context& context);
/// The chosen thread: what it reads and computes, what it does in this phase, and where it is.
void drawThread(const ui::Context& context);
/// The main kernel's PTX next to its source.
void drawPtx(const ui::Context& context);
/// Chooses a source line that a message refers to: shows and marks it, and N goes through its
/// steps.
void chooseLine(const ui::Context& context, uint32_t line);
/// The times of the open lab's kernels, where no section beside the stage shows them.
void drawLabTimes(const ui::Context& context);
/// The open lesson's step; writes the height it needs to UiState::lessonHeight.
void drawLesson(const ui::Context& context);
/// The prediction that the open lab asks for, in the lesson's place and with its height.
void drawPrediction(const ui::Context& context);
/// The open lab's kernels, to choose which one is shown; nothing where no lab is open.
void drawLabKernels(const ui::Context& context);
/// The prediction beside the answer; nothing if there was no prediction.
void drawPredicted(const ui::Context& context);

/// The column widths of the table of execution phases, in pixels.
struct PhaseColumns {
  std::vector<float> width;  ///< One per operand, then the sum's increment if there are sums.
  float name = 0;
  size_t lines = 1;  ///< Lines of text per row.
  [[nodiscard]] float phase() const {
    float sum = 0;
    for (const float w : width) sum += w;
    return sum;
  }
  [[nodiscard]] float total(size_t phases) const {
    return name + phase() * static_cast<float>(phases);
  }
};

/// The table of execution phases (threads by phases), which takes the scene's place. Caches the
/// column widths, because computing them reads all cells.
class PhaseTablePanel {
 public:
  void draw(const ui::Context& context);

 private:
  void measure(const std::shared_ptr<const PhaseTable>& table, const ui::Fonts& fonts);

  std::shared_ptr<const PhaseTable> measuredOf_;
  const ImFont* measuredWith_ = nullptr;
  float measuredAt_ = 0;
  PhaseColumns large_, small_;
};

}  // namespace tilestep::features
