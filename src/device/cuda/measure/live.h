// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "device/live.h"

namespace tilestep::cuda {

/// How a stream is divided, from an estimate of one run's time. Only arithmetic.
struct LivePlan {
  uint32_t every = 1;   ///< One run of so many is timed: at most a thousand a second.
  uint32_t group = 1;   ///< Runs that are queued together, a multiple of `every`.
  bool replay = false;  ///< Runs between two timed ones are replayed as one graph.
};
/// `commands`: what one run puts into the driver's queue. Two groups lie in it at a time: together
/// they last longer than the host needs to look after them, and fit the queue.
[[nodiscard]] LivePlan planLive(double estimateMs, uint32_t commands, bool canReplay);

/// Launches the program again and again, back to back, until cancelled or something fails; both are
/// Errors. While one group of launches runs the next one lies in the queue, so that the GPU waits
/// for nothing; timed launches have an event before and one behind them. Operands that a kernel
/// reads and writes are restored between, outside the timing. The time limit is for a group.
Status streamLaunches(Execution& execution, const Program& program, Operands& operands,
                      const device::DeviceInfo& info, MeasureTools& tools,
                      const device::LiveOrder& order);

}  // namespace tilestep::cuda
