// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "features/names.h"
#include "model/text/traffic.h"
#include "model/view.h"

namespace tilestep::features {

/// The counts of the step's phase and of the launch that the figures belong to.
struct TrafficView : View {
  static constexpr std::string_view kFeature = "traffic";
  TrafficTable phase, grid;
  [[nodiscard]] const TrafficTable& of(bool wholeGrid) const { return wholeGrid ? grid : phase; }
  std::string gridNote;  ///< The reason why counts of the launch are missing; otherwise empty.
};

}  // namespace tilestep::features
