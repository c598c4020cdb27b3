// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/devices/device_pool.h"

/// Traces in the interpreter, in addition to a run. `memoryBytes` limits them; 0 for no limit.
namespace tilestep::lab {

/// Traces the chosen block for a device that cannot. Otherwise `outcome` gives the reason.
Status addTrace(DevicePool& pool, device::Job job, const device::Stop& stop, uint64_t memoryBytes,
                device::Outcome& outcome);

/// If the launch stopped before the traced block began, traces the block that stopped it instead.
Status traceWhatFailed(DevicePool& pool, device::Job job, const device::Stop& stop,
                       uint64_t memoryBytes, device::Outcome& outcome);

}  // namespace tilestep::lab
