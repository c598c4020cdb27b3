// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::model {

/// From a timeline of the measured launch.
struct TimelineFigures {
  double achievedOccupancy = 0;  ///< Resident warps ÷ the most an SM holds, while it is active.
  double barrierWaitShare = 0;   ///< Of a warp's resident time; other warps may work meanwhile.
  double price = 0;              ///< How much longer the run took that read the clocks.
  bool operator==(const TimelineFigures&) const = default;
};

}  // namespace tilestep::model
