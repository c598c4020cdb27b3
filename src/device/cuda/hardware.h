// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/cuda/range_profiler.h"
#include "device/hardware.h"

namespace tilestep::cuda {

/// One of our figures: the first of its metrics that a chip has is taken.
struct MetricChoice {
  const char* name;
  Unit unit;
  double scale;  ///< Ours = the metric's value × scale.
  std::vector<const char*> metrics;
};
/// All figures, in the order in which they are shown. Names differ between chips: Blackwell's
/// consumer chips count DRAM bytes as dram__bytes_op_read.
[[nodiscard]] const std::vector<MetricChoice>& metricChoices();

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
