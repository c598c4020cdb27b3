// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "device/cuda/execution.h"
#include "device/cuda/operands.h"
#include "device/cuda/program.h"

namespace tilestep::cuda {

/// How many launches a measurement takes; all from one estimate of a run's time.
struct MeasurePlan {
  uint32_t batch = 1;        ///< Runs between two events; a sample is their mean.
  uint32_t repetitions = 5;  ///< Samples.
  uint32_t warmUp = 1;       ///< Runs before the first sample.
};

/// Samples of about a millisecond, so that the gap between a start event and its kernel and the
/// events' own half microsecond weigh under a percent; about 30 ms of samples in all, at least 5
/// and at most 200; runs slower than 0.2 s are taken less often, down to once. `canBatch` is
/// false where operands must be restored before each run.
[[nodiscard]] MeasurePlan planMeasurement(double estimateMs, bool canBatch);

/// Median, least, tenth and ninetieth percentile (linear between neighbours) of samples in ms.
[[nodiscard]] device::Measurement summarise(std::vector<double> samplesMs);

/// Times `program` uninstrumented, with device events on one stream. The caches stay warm from
/// run to run, as they would for a kernel that is called again and again; inout operands are
/// restored between samples, outside the timing. A kernel's run is all of its launches.
Result<device::Measurement> measure(Execution& execution, const Program& program,
                                    Operands& operands);

}  // namespace tilestep::cuda
