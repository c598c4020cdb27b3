// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <string>

namespace tilestep {

/// 0.35 as "35 %", rounded to whole percents. toText(share, Unit::ratio) has three digits.
[[nodiscard]] inline std::string wholePercent(double share) {
  return std::to_string(std::lround(100 * share)) + " %";
}

}  // namespace tilestep
