// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/measure/range_profiler.h"
#include "device/hardware.h"

namespace tilestep::cuda {

/// The work of one pass. Both wait until the GPU is done.
struct Replay {
  std::function<Status()> prepare;  ///< Operands and caches; not counted.
  std::function<Status()> run;      ///< The launches that are counted.
};

/// Counts `replay`'s launches with CUPTI's range profiler, as many passes as its counters need, and
/// detaches the profiler again. What CUPTI refuses is said in `refused`; an Error is the replay's
/// own.
[[nodiscard]] Result<device::HardwareCounters> readHardware(const cupti::Library& library,
                                                            const ProfiledDevice& device,
                                                            const Replay& replay);

}  // namespace tilestep::cuda
