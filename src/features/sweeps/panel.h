// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "features/sweeps/sweep_view.h"
#include "features/sweeps/view.h"
#include "gfx/window.h"
#include "ui/kit/context.h"
#include "ui/kit/plot.h"

/// What the files of the sweep's panel share.
namespace tilestep::ui {

/// Acts on a key while sweeps stand in the middle; false where it is not theirs.
bool handleSweep(const gfx::KeyEvent& event, model::Session& session, UiState& ui);

void drawSweeps(const Context& context);
/// One axis: lines over a tunable or over sizes. Takes the whole width.
void drawSweepPlot(const Context& context, const model::SweepView& view, float height);
/// The ladder's rungs, explained.
void drawLadder(const Context& context, const model::SweepView& sweep,
                const model::LadderView& view);
/// Two axes: cells coloured by value, with their scale.
void drawSweepMap(const Context& context, const model::SweepView& view, float height);

/// What a click or hover on cell `index` does; `over`: the pointer is there.
void touchSweepCell(const Context& context, const model::SweepView& view, size_t index, bool over);
/// The next kind, quantity or axes.
void nextSweepKind(UiState& ui);
void nextSweepQuantity(UiState& ui, const model::SweepView* view);
void nextSweepAxes(UiState& ui, const model::SweepView* view, int by);

/// A number without its unit: "8.84 T", "0.25".
[[nodiscard]] std::string sweepNumber(double value);
/// Diagonal lines over a rectangle: what cannot run.
void hatch(ImDrawList& list, ImVec2 min, ImVec2 max, ImU32 colour, float gap);

}  // namespace tilestep::ui
