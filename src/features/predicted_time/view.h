// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "features/names.h"
#include "model/predicted_range.h"
#include "model/view.h"

namespace tilestep::features {

/// The predicted time of the chosen launch of a program, on a recording's GPU. There is no view if
/// no launch is chosen, or if a present GPU can measure it.
struct PredictedTimeView : View {
  static constexpr std::string_view kFeature = "predicted_time";
  uint64_t launch = 0;  ///< Its number in the program, counted from 1; 0 if no launch is chosen.
  std::string text;     ///< The program's text.
  std::optional<PredictedRange> range;  ///< Absent while the launch is being counted.
};

}  // namespace tilestep::features
