// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/driver/nvml.h"
#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/measure/cold_caches.h"
#include "device/cuda/measure/measure_probe.h"
#include "device/cuda/measure/sampling.h"
#include "device/cuda/operands.h"

namespace tilestep::cuda {

/// The GPU resources for measuring, apart from the kernel. Made on first use and kept with the
/// context.
struct MeasureTools {
  std::optional<MeasureProbe> probe;
  std::unique_ptr<PowerMeter> power;
  bool powerSought = false;
  std::optional<ColdCaches> cold;
};

/// Times `program` uninstrumented, with device events on one stream. A gate holds the stream until
/// a group of samples is queued, so that no launch waits for the host. Caches stay warm between
/// runs, as for a kernel that is called repeatedly. Inout operands are restored between samples,
/// outside the timing. Samples taken at a lower clock are rejected, and sampling continues until
/// the accepted samples agree (sampling.h). `thorough` takes longer, reads the power, and times
/// single runs on a cold L2 cache. A run consists of all launches of the job.
Result<device::Measurement> measure(Execution& execution, const Program& program,
                                    Operands& operands, const device::DeviceInfo& info,
                                    MeasureTools& tools, bool thorough);

/// The time of one run in ms, from one sample of about a millisecond. Used to report the overhead
/// of a rewritten kernel. `estimateMs` is an estimate of that time. Does not restore operands that
/// a kernel reads and writes.
Result<double> timeBriefly(Execution& execution, const Program& program, Operands& operands,
                           double estimateMs);

}  // namespace tilestep::cuda
