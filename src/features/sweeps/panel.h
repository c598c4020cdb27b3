// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "features/names.h"
#include "features/sweeps/view.h"
#include "ui/kit/legend.h"
#include "ui/kit/plot.h"

/// Shared by the files of the sweeps panel.
namespace tilestep::features {

void drawSweeps(const Context& context);
/// One axis: lines over a tunable or over sizes. Takes the whole width.
void drawSweepPlot(const Context& context, const SweepView& view, float height);
/// The explained rungs of the ladder.
void drawLadder(const Context& context, const SweepView& sweep, const LadderView& view);
/// Two axes: cells coloured by value, with a colour scale.
void drawSweepMap(const Context& context, const SweepView& view, float height);

/// Selects a kind of sweep, with its first axes.
void chooseSweepKind(UiState& ui, SweepKind kind);
/// Shows the tooltip of the hovered cell `index`, and chooses its point on a click.
void touchSweepCell(const Context& context, const SweepView& view, size_t index);
/// How to run the points; empty if there are values, or while points run.
[[nodiscard]] std::string sweepWish(const Context& context, const SweepView& view);

/// The legend of the picture on the stage. `context` must outlive it. It consists of the marks of
/// one of the three pictures, and of marks for points without a value.
[[nodiscard]] std::vector<LegendMark> sweepsMarks(const Context& context);
[[nodiscard]] std::vector<LegendMark> sweepPlotMarks(const Context& context, const SweepView& view);
[[nodiscard]] std::vector<LegendMark> sweepMapMarks(const Context& context, const SweepView& view);
[[nodiscard]] std::vector<LegendMark> ladderMarks(const Context& context, const LadderView& view);

}  // namespace tilestep::features
