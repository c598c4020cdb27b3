// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// Where the program read a clock of the host: return addresses; null where it did not.
struct ClockReadings {
  const void* first = nullptr;
  const void* last = nullptr;
};

/// What was read since the last time that this was asked. Any thread may ask.
ClockReadings takeClockReadings();

}  // namespace tilestep::guest
