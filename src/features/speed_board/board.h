// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "model/snapshot.h"

namespace tilestep::model {

/// One figure of the speed board.
struct SpeedFigure {
  std::string name;   ///< "DRAM, at least"
  std::string value;  ///< "1.42 TB/s"
  std::string from;   ///< How the figure was made, and on which machine, in a sentence.
  double number = 0;  ///< The value: FLOP/s, bytes/s, seconds, or a share from 0 to 1.
};

/// How fast the chosen launch ran: its time, FLOP/s, DRAM's bytes/s and its share of the roof that
/// it is nearest to; those that are known. Empty where nothing was measured of the present choice,
/// for neither counts nor bounds are speeds.
[[nodiscard]] std::vector<SpeedFigure> speedFiguresOf(const Snapshot& now);

}  // namespace tilestep::model
