// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/names.h"
#include "features/sweeps/ladder_view.h"
#include "features/sweeps/sweep_view.h"
#include "model/view.h"

namespace tilestep::features {

struct SweepsView : View {
  static constexpr std::string_view kFeature = "sweeps";
  /// The sweep that is shown; null if none is, or while a recording is read (pending).
  std::shared_ptr<const SweepView> picture;
  /// Its explanation, if it is the ladder; otherwise null.
  std::shared_ptr<const LadderView> ladder;
  SweepProgress progress;  ///< Progress of the running sweep, shown or not.

  void addTo(Shown& to) const override { to.sweepLadder = ladder != nullptr; }
};

}  // namespace tilestep::features
