// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ui/kit/plot.h"
#include "ui/kit/plot_state.h"

/// User interaction with a plot: zoom, pan, cursors, linear or logarithmic axes, by mouse and by
/// keyboard. The state is a value that the caller keeps (in UiState), one AxisView per axis, so
/// that plots below each other can share their x axis. A frame:
///
///     const PlotAxis x = shownAxis(wholeX, state.x), y = shownAxis(wholeY, state.y);
///     Plot plot(list, min, max, x, y, style);                // draw into it
///     plotInput("loads", plot, wholeX, wholeY, state.x, state.y, state.cursor, {});
///     if (auto at = state.cursor.shown()) { plot.cursor(*at, …); plot.readout(*at, …); }
///
/// Mouse: the wheel zooms about the pointer (next to an axis, only that axis), dragging pans,
/// dragging with the right button (or Shift) zooms to the selected area, a click pins the cursor,
/// another click near it removes it, a double click resets the view. Keys arrive as PlotKeys; they
/// are documented in ui/shell/keys.cpp.
namespace tilestep::ui {

struct PlotInput {
  bool wheel = true;         ///< Uses the wheel, so the ImGui window must not scroll with it.
  bool zoomY = true;         ///< Wheel and keys also zoom the y axis when over the plot itself.
  PlotKeys* keys = nullptr;  ///< Consumed and reset.
};

/// The axis to draw. `least` applies if an axis that starts at zero is switched to logarithmic: it
/// is the smallest value shown, or 0 for a thousandth of `high`.
[[nodiscard]] PlotAxis shownAxis(const PlotAxis& whole, const AxisView& view, double least = 0);

/// Zooms about a position (0 to 1) of the shown axis; a factor above 1 zooms in. Limited by the
/// precision of double, and to a few times the whole range.
void zoomAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double position,
              double factor);
/// Pans by a fraction of the shown range; some of the whole range always stays visible.
void panAxis(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double share);
/// Shows the range between two positions of the shown axis.
void showPart(const PlotAxis& whole, const PlotAxis& shown, AxisView& view, double from, double to);

/// Applies keys; `plotInput` calls it.
void takeKeys(PlotKeys& keys, bool zoomY, const PlotAxis& wholeX, const PlotAxis& wholeY,
              const PlotAxis& shownX, const PlotAxis& shownY, AxisView& x, AxisView& y,
              PlotCursor& cursor);

/// Handles the mouse over `plot` and the keys, and changes the views for the next frame. Creates an
/// ImGui item over the plot and leaves ImGui's cursor unchanged. True while the pointer is over the
/// plot's frame without dragging.
bool plotInput(const char* id, const Plot& plot, const PlotAxis& wholeX, const PlotAxis& wholeY,
               AxisView& x, AxisView& y, PlotCursor& cursor, const PlotInput& input);

}  // namespace tilestep::ui
