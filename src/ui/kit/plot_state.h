// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

/// What a person made of a plot: values that the plot's owner keeps (ui/kit/plot_view.h).
namespace tilestep::ui {

/// What a person made of one axis. The default shows the caller's whole range.
struct AxisView {
  bool moved = false;  ///< `low` and `high` are shown; else the whole.
  double low = 0, high = 1;
  bool otherScale = false;  ///< Logarithmic where the caller's axis is linear, and the reverse.
  bool operator==(const AxisView&) const = default;
};

struct PlotCursor {
  std::optional<double> pinned;  ///< By a click or the keyboard.
  std::optional<double> under;   ///< Where the pointer was in the last frame.
  bool doubled = false;  ///< The button went down for the second time: its release is no click.
  /// Of the pointer where that is over a plot, else the pinned one.
  [[nodiscard]] std::optional<double> shown() const { return under ? under : pinned; }
  bool operator==(const PlotCursor&) const = default;
};

/// All of it, for a plot that shares no axis.
struct PlotView {
  AxisView x, y;
  PlotCursor cursor;
  bool operator==(const PlotView&) const = default;
};

/// What keys asked of the plot on the stage since the last frame.
struct PlotKeys {
  int zoom = 0;  ///< Steps, in.
  int panX = 0, panY = 0;
  int cursor = 0;  ///< Steps of a hundredth of the width, to the right.
  bool reset = false, otherX = false, otherY = false;
  bool operator==(const PlotKeys&) const = default;
};

}  // namespace tilestep::ui
