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

/// The time that the chosen launch of a program would take on the GPU of a recording. There is no
/// view while something else is chosen, or while a GPU is here, which says so itself.
struct PredictedTimeView : View {
  static constexpr std::string_view kFeature = "predicted_time";
  uint64_t launch = 0;                  ///< Its number in the program, from 1; 0: none is chosen.
  std::string text;                     ///< The program's text.
  std::optional<PredictedRange> range;  ///< Nothing while the launch is still counted.
};

}  // namespace tilestep::features
