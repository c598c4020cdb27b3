// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "features/sweeps/ladder_view.h"
#include "features/sweeps/sweep_view.h"
#include "model/view.h"

namespace tilestep::model {

struct SweepsView : View {
  static constexpr std::string_view kFeature = "sweeps";
  /// The picture that is looked at; null where none is, or while a recording is opened.
  std::shared_ptr<const SweepView> picture;
  /// The same explained, where it is the ladder; else null.
  std::shared_ptr<const LadderView> ladder;
  SweepProgress progress;  ///< Of the sweep that runs, looked at or not.
};

}  // namespace tilestep::model
