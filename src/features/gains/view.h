// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "model/launch_ratios.h"
#include "model/view.h"

namespace tilestep::model {

/// What tiling changes: the naive kernel compared with the chosen one. Valid if `known`: both
/// kernels have been counted and are comparable.
struct GainsView : View {
  static constexpr std::string_view kFeature = "gains";
  bool known = false;
  LaunchRatios ratios;
  std::string note;  ///< What else is to be known of these ratios; may be empty.
};

}  // namespace tilestep::model
