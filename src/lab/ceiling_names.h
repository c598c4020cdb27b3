// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/figure.h"
#include "device/device.h"

namespace tilestep::lab {

/// A measured ceiling: its key in JSON, its name in tables, and its unit.
struct CeilingName {
  const char* json;
  const char* text;
  std::optional<double> device::Ceilings::*value;
  Unit unit;
};
inline constexpr CeilingName kCeilingNames[] = {
    {"dram_read_bytes_per_second", "DRAM, read", &device::Ceilings::dramBytesPerSecond,
     Unit::bytesPerSecond},
    {"dram_copy_bytes_per_second", "DRAM, copy (read + write)",
     &device::Ceilings::dramCopyBytesPerSecond, Unit::bytesPerSecond},
    {"l2_bytes_per_second", "L2, read", &device::Ceilings::l2BytesPerSecond, Unit::bytesPerSecond},
    {"l1_bytes_per_second", "L1, read", &device::Ceilings::l1BytesPerSecond, Unit::bytesPerSecond},
    {"shared_bytes_per_second", "shared memory, read", &device::Ceilings::sharedBytesPerSecond,
     Unit::bytesPerSecond},
    {"fp32_flop_per_second", "FP32 multiply-add", &device::Ceilings::fp32FlopPerSecond,
     Unit::flopPerSecond},
    {"launch_seconds", "empty kernel, back to back", &device::Ceilings::launchSeconds,
     Unit::seconds},
    {"launch_and_wait_seconds", "empty kernel, launch and wait",
     &device::Ceilings::launchAndWaitSeconds, Unit::seconds},
};

}  // namespace tilestep::lab
