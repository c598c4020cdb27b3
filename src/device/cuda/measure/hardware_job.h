// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/cuda/driver/program.h"
#include "device/cuda/execution.h"
#include "device/cuda/operands.h"
#include "device/hardware.h"

namespace tilestep::cuda {

/// Reads the hardware counters of `program`'s launches on GPU `ordinal`, with operands restored and
/// caches emptied before each pass. Obstacles are stored in `refused`; an Error means that the job
/// itself has ended (a fault, its time limit, cancelled).
[[nodiscard]] Result<device::HardwareCounters> profileJob(Execution& execution,
                                                          const Program& program,
                                                          Operands& operands,
                                                          const device::DeviceInfo& info,
                                                          unsigned ordinal);

}  // namespace tilestep::cuda
