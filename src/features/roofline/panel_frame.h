// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "features/names.h"
#include "features/roofline/roofline_view.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {

/// The state that all parts of the roofline's plot need during one frame.
struct RoofFrame {
  const Context& context;
  const RooflineView& view;
  Plot& plot;
  std::optional<metrics::Level> focus;  ///< The highlighted level.
  double peak = 0;                      ///< FP32's, FLOP/s.
  bool large = false;                   ///< With all labels.
  bool levels = false;                  ///< Every level is drawn, not the highlighted one alone.
  bool others = false;                  ///< Other kernels are drawn too.
  std::string hover = {};  ///< For the item under the pointer; the last one drawn wins.

  [[nodiscard]] const Roof* focusRoof() const { return focus ? view.roofOf(*focus) : nullptr; }
  /// Whether the plot has this point: it belongs to a chosen level and kernel.
  [[nodiscard]] bool shows(const RoofPoint& at) const {
    return at.flopPerSecond && (levels || at.point.level == focus) && (others || !at.companion);
  }
  [[nodiscard]] bool isFocus(const RoofPoint& at) const {
    return !at.companion && at.point.level == focus;
  }
  [[nodiscard]] const gfx::Palette& palette() const { return context.palette; }
  [[nodiscard]] double lowX() const { return plot.x().low; }
  [[nodiscard]] double highX() const { return plot.x().high; }
};

}  // namespace tilestep::features
