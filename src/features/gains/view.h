// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/text/traffic.h"
#include "model/view.h"

namespace tilestep::model {

/// What tiling changes: the naive kernel against the chosen one. It is there where both are known.
struct GainsView : View {
  static constexpr std::string_view kFeature = "gains";
  bool known = false;
  Gains gains;
};

}  // namespace tilestep::model
