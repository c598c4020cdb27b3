// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/measure.h"
#include "device/cuda/operands.h"
#include "device/live.h"

namespace tilestep::cuda {

/// The schedule of a stream of launches, computed from an estimate of one run's time.
struct LivePlan {
  uint32_t every = 1;   ///< One run in `every` is timed: at most a thousand per second.
  uint32_t group = 1;   ///< Runs enqueued together, a multiple of `every`.
  bool replay = false;  ///< Runs between two timed ones are replayed as one graph.
};
/// `commands`: driver queue entries per run. Two groups are queued at a time. Together they run
/// longer than the host needs to process them, and fit into the queue.
[[nodiscard]] LivePlan planLive(double estimateMs, uint32_t commands, bool canReplay);

/// Launches the program repeatedly, back to back. Always ends with an Error.
/// While one group of launches runs, the next one is already queued, so that the GPU never idles.
/// Each timed launch has an event before and after it. Operands that a kernel reads and writes are
/// restored between launches, outside the timing. The time limit applies to each group.
Status streamLaunches(Execution& execution, const Program& program, Operands& operands,
                      const device::DeviceInfo& info, MeasureTools& tools,
                      const device::LiveOrder& order);

}  // namespace tilestep::cuda
