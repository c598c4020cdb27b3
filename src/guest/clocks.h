// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace tilestep::guest {

/// Return addresses of the program's readings of a host clock; null: none.
struct ClockReadings {
  const void* first = nullptr;
  const void* last = nullptr;
};

/// The readings since the last call. For any thread.
ClockReadings takeClockReadings();

}  // namespace tilestep::guest
