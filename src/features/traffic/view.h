// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "model/text/traffic.h"
#include "model/view.h"

namespace tilestep::model {

/// The counts of the step's phase and of the launch that the figures belong to.
struct TrafficView : View {
  static constexpr std::string_view kFeature = "traffic";
  TrafficTable phase, grid;
};

}  // namespace tilestep::model
