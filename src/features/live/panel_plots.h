// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "features/live/live.h"
#include "ui/kit/context.h"

namespace tilestep::ui {

/// The plots of live mode, one below the other with one time axis: work, bytes, and where a warp's
/// cycles go; as many as `size` has room for. `y` of each and the time are UiState::live.
void drawLivePlots(const Context& context, ImVec2 size);

/// What a launch's work is counted in: FLOP/s where the kernel names its operations, else launches
/// a second.
struct LiveWork {
  bool flop = true;
  /// Of one launch.
  [[nodiscard]] double amount(const model::LiveRun& run) const {
    return flop ? run.operations.value_or(0) : 1;
  }
  [[nodiscard]] std::string text(double perSecond) const;
};
[[nodiscard]] LiveWork workOf(const model::LiveView& view);

}  // namespace tilestep::ui
