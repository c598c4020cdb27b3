// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/result.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/devices/device_pool.h"

/// Traces from the interpreter beside a run. `memoryBytes`: what they may take; 0: no limit.
namespace tilestep::lab {

/// The chosen block's trace, for a device that makes none. Why there is none is said in the
/// outcome.
Status addTrace(DevicePool& pool, device::Job job, const device::Stop& stop, uint64_t memoryBytes,
                device::Outcome& outcome);

/// Where the launch was stopped before the traced block began: a trace of the block that stopped
/// it.
Status traceWhatFailed(DevicePool& pool, device::Job job, const device::Stop& stop,
                       uint64_t memoryBytes, device::Outcome& outcome);

}  // namespace tilestep::lab
