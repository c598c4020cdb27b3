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
/// The menu of rarely needed actions and of actions that do not fit into the top bar. Opens when
/// UiState::menuWished is set.
void drawMenu(const Context& context);
void drawControls(const Context& context);
/// Only the kernel and its tunables, for the lesson's density.
void drawLessonControls(const Context& context);
void drawDeviceItems(const Context& context);
/// A button that switches to a recording with measured times; nothing if there is no recording.
void drawOpenRecording(const Context& context);
void drawKernelChoice(const Context& context);
void drawNotices(const Context& context);
/// Shows the newest notice for some seconds at the bottom of `box`, unless the list of notices is
/// visible. A notice that is higher than the box starts at the top of the box and extends below it.
void drawToast(const Context& context, const gfx::Box& box);
/// One line with the newest notice; a click shows the others. If there are none, the line shows
/// what the worker does, or the most important keys.
void drawStatus(const Context& context);
/// Plots and tables one below the other; only one plot or table while presenting.
void drawMeasures(const Context& context);
/// Tabs that choose what the stage (the middle of the window) shows.
void drawStageTabs(const Context& context);
/// Draws the stage when it does not show the scene.
void drawStage(const Context& context);
/// The meanings of the marks that are on the stage now, without those of the scene.
[[nodiscard]] std::vector<LegendMark> stageMarks(const Context& context);
void drawStep(const Context& context);
void drawThreads(const Context& context);
void drawTransport(const Context& context);
/// Covers the window while a web page is written, shows the progress, and offers to stop.
void drawPageProgress(const Context& context);
/// Draws the help in a separate window while UiState::help is set.
void drawHelp(const Context& context);

}  // namespace tilestep::ui
