// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "features/names.h"
#include "features/sweeps/sweep_view.h"
#include "features/sweeps/view.h"
#include "gfx/window.h"
#include "ui/kit/legend.h"
#include "ui/kit/plot.h"

/// Shared by the files of the sweeps panel.
namespace tilestep::features {

/// Handles a key while sweeps are on the stage; false if the key is not used there.
bool handleSweep(const gfx::KeyEvent& event, model::Session& session, UiState& ui);

void drawSweeps(const Context& context);
/// One axis: lines over a tunable or over sizes. Takes the whole width.
void drawSweepPlot(const Context& context, const SweepView& view, float height);
/// The explained rungs of the ladder.
void drawLadder(const Context& context, const SweepView& sweep, const LadderView& view);
/// Two axes: cells coloured by value, with a colour scale.
void drawSweepMap(const Context& context, const SweepView& view, float height);

/// Handles a click or hover on cell `index`; `over`: the pointer is over it.
void touchSweepCell(const Context& context, const SweepView& view, size_t index, bool over);
/// Selects the next kind, quantity or axes.
void nextSweepKind(UiState& ui);
void nextSweepQuantity(UiState& ui, const SweepView* view);
void nextSweepAxes(UiState& ui, const SweepView* view, int by);

/// The legends of the three pictures. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> sweepPlotMarks(const Context& context, const SweepView& view);
[[nodiscard]] std::vector<LegendMark> sweepMapMarks(const Context& context, const SweepView& view);
[[nodiscard]] std::vector<LegendMark> ladderMarks(const Context& context, const LadderView& view);
/// The legend of the picture that is on the stage. `context` must outlive them.
[[nodiscard]] std::vector<LegendMark> sweepsMarks(const Context& context);

}  // namespace tilestep::features
