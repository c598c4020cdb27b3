// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/measure/range_profiler.h"
#include "device/hardware.h"

namespace tilestep::cuda {

/// The work of one pass. Both functions wait for the GPU.
struct Replay {
  std::function<Status()> prepare;  ///< Restores operands and caches; not counted.
  std::function<Status()> run;      ///< The launches that are counted.
};

/// Counts `replay`'s launches with CUPTI's range profiler, in as many passes as the counters need,
/// and then detaches the profiler. CUPTI's failures are stored in `refused`; only `replay` causes
/// an Error.
[[nodiscard]] Result<device::HardwareCounters> readHardware(const cupti::Library& library,
                                                            const ProfiledDevice& device,
                                                            const Replay& replay);

}  // namespace tilestep::cuda
