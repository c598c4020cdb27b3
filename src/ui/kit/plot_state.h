// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

/// The user's changes to a plot, as values that the plot's owner keeps (ui/kit/plot_view.h).
namespace tilestep::ui {

/// The user's changes to one axis. The default shows the caller's whole range.
struct AxisView {
  bool moved = false;  ///< `low` and `high` are shown; otherwise the whole range.
  double low = 0, high = 1;
  bool otherScale = false;  ///< Logarithmic if the caller's axis is linear, and vice versa.
  bool operator==(const AxisView&) const = default;
};

struct PlotCursor {
  std::optional<double> pinned;  ///< Set by a click or the keyboard.
  std::optional<double> under;   ///< The pointer's position in the last frame.
  bool doubled = false;          ///< The button was pressed twice, so its release is not a click.
  /// The pointer's position if it is over a plot, otherwise the pinned one.
  [[nodiscard]] std::optional<double> shown() const { return under ? under : pinned; }
  bool operator==(const PlotCursor&) const = default;
};

/// The state of a plot that shares its axes with no other plot.
struct PlotView {
  AxisView x, y;
  PlotCursor cursor;
  bool operator==(const PlotView&) const = default;
};

/// Key presses for the plot on the stage since the last frame.
struct PlotKeys {
  int zoom = 0;  ///< Zoom steps; positive zooms in.
  int panX = 0, panY = 0;
  int cursor = 0;  ///< Steps of a hundredth of the width; positive moves right.
  bool reset = false, otherX = false, otherY = false;
  bool operator==(const PlotKeys&) const = default;
};

}  // namespace tilestep::ui
