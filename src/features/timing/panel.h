// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "features/names.h"
#include "features/timing/view.h"
#include "ui/kit/legend.h"

namespace tilestep::features {

/// The stage: a group of bars for each launch, one bar for each timing method, on a common axis.
void drawTiming(const Context& context);

/// The layout of the bars, in pixels from the left edge of the picture. Pure.
struct TimingColumns {
  float bars = 0, width = 0;  ///< Left edge and width of the axis. The names are to the left of it.
  float values = 0;           ///< Left edge of the values on the right.
  TimingAxis axis;

  [[nodiscard]] float x(double seconds) const {
    return bars + width * static_cast<float>(axis.share(seconds));
  }
};
/// `names` and `values` are the widths of the longest name and value; `gap` is between columns. The
/// axis gets at least a quarter of `room`.
[[nodiscard]] TimingColumns timingColumns(float room, float names, float values, float gap,
                                          const TimingAxis& axis);

/// The legend of the marks on the stage. `context` must outlive the result.
[[nodiscard]] std::vector<LegendMark> timingMarks(const Context& context);

}  // namespace tilestep::features
