// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/plot.h"
#include "ui/kit/plot_state.h"

/// What a person does to a plot: zoom, pan, cursors, linear or logarithmic axes, by mouse and by
/// keyboard. The state is a value that the caller keeps (in UiState), one AxisView an axis, so that
/// plots below each other share their x axis. A frame:
///
///     const PlotAxis x = shownAxis(wholeX, state.x), y = shownAxis(wholeY, state.y);
///     Plot plot(list, min, max, x, y, style);                // draw into it
///     plotInput("loads", plot, wholeX, wholeY, state.x, state.y, state.cursor, {});
///     if (auto at = state.cursor.shown()) { plot.cursor(*at, …); plot.readout(*at, …); }
///
/// Mouse: the wheel zooms about the pointer (beside an axis that axis alone), dragging moves,
/// dragging with the right button (or Shift) zooms to what was dragged over, a click pins the
/// cursor, another one near it takes it away, a double click shows all again. Keys come as
/// PlotKeys; docs in ui/shell/keys.cpp.
namespace tilestep::ui {

struct PlotInput {
  bool wheel = true;         ///< Takes the wheel: the ImGui window must not scroll by it.
  bool zoomY = true;         ///< Wheel and keys zoom the y axis too, over the plot itself.
  PlotKeys* keys = nullptr;  ///< Taken, and emptied.
};

/// The axis as it is to be drawn. `least`: the smallest value above zero, for an axis from zero
/// that is made logarithmic; 0: a thousandth of `high`.
[[nodiscard]] PlotAxis shownAxis(const PlotAxis& whole, const AxisView& view, double least = 0);

/// Zooms about a position (0 to 1) of the shown axis; factor above 1 shows less. Neither deeper
/// than a double can tell values apart nor further than some times the whole.
void zoomAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double position,
              double factor);
/// Moves by a share of what is shown; never so far that nothing of the whole is left.
void panAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double share);
/// Shows what lies between two positions of the shown axis.
void showPart(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double from, double to);

/// Applies keys; `plotInput` does so itself.
void takeKeys(PlotKeys& keys, bool zoomY, const PlotAxis& wholeX, const PlotAxis& wholeY,
              const PlotAxis& shownX, const PlotAxis& shownY, AxisView& x, AxisView& y,
              PlotCursor& cursor);

/// Takes the mouse over `plot` and the keys, and changes the views; the next frame shows it. Makes
/// an ImGui item over the plot and leaves ImGui's cursor where it was. True while the pointer is
/// over the plot's frame and drags nothing.
bool plotInput(const char* id, const Plot& plot, const PlotAxis& wholeX, const PlotAxis& wholeY,
               AxisView& x, AxisView& y, PlotCursor& cursor, const PlotInput& input);

}  // namespace tilestep::ui
