// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/live/live.h"
#include "features/names.h"
#include "ui/kit/context.h"

namespace tilestep::features {

/// Draws the plots of live mode one below another with a common time axis: work, bytes, and how a
/// warp spends its cycles. Draws as many as fit into `size`. UiState::live holds their axes.
void drawLivePlots(const Context& context, ImVec2 size);

/// The unit of a launch's work: FLOP/s, or launches/s if the kernel declares no operations.
struct LiveWork {
  bool flop = true;
  /// Work per launch.
  [[nodiscard]] double amount(const LiveRun& run) const {
    return flop ? run.operations.value_or(0) : 1;
  }
  [[nodiscard]] std::string text(double perSecond) const;
};
[[nodiscard]] LiveWork workOf(const LiveView& view);

}  // namespace tilestep::features
