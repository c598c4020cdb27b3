// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "features/names.h"
#include "features/roofline/roofline_view.h"
#include "ui/kit/plot.h"
#include "ui/kit/widgets.h"

namespace tilestep::features {

/// What all parts of the roofline's plot need during one frame.
struct RoofFrame {
  const Context& context;
  const RooflineView& view;
  Plot& plot;
  std::optional<metrics::Level> focus;  ///< The highlighted level.
  double peak = 0;                      ///< The FP32 peak, in FLOP/s.
  bool large = false;                   ///< All labels are drawn.
  bool levels = false;                  ///< Every level is drawn, not only the highlighted one.
  bool others = false;                  ///< Other kernels are drawn too.
  std::string hover = {};               ///< Describes the item under the pointer.

  [[nodiscard]] const Roof* focusRoof() const { return focus ? view.roofOf(*focus) : nullptr; }
  /// Whether the plot shows this point, according to the chosen levels and kernels.
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
