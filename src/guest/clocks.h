// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// Return addresses of the program's first and last read of a host clock; null if there was none.
struct ClockReadings {
  const void* first = nullptr;
  const void* last = nullptr;
};

/// The reads since the last call. For any thread.
ClockReadings takeClockReadings();

}  // namespace tilestep::guest
