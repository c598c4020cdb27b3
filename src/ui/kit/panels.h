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
