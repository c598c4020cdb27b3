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

/// The time that the chosen launch of a program would take on a recording's GPU. There is no view
/// while something else is chosen, or while a GPU is present, which can measure it.
struct PredictedTimeView : View {
  static constexpr std::string_view kFeature = "predicted_time";
  uint64_t launch = 0;                  ///< Its number in the program, from 1; 0: none is chosen.
  std::string text;                     ///< The program's text.
  std::optional<PredictedRange> range;  ///< Absent while the launch is still being counted.
};

}  // namespace tilestep::features
