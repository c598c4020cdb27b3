// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "device/device.h"

namespace tilestep::device {

/// The keys of measured ceilings in files: recordings and the cache of each GPU's ceilings.
struct CeilingKey {
  const char* key;
  std::optional<double> Ceilings::*value;
};
inline constexpr CeilingKey kCeilingKeys[] = {
    {"dram_bytes_per_second", &Ceilings::dramBytesPerSecond},
    {"dram_copy_bytes_per_second", &Ceilings::dramCopyBytesPerSecond},
    {"l2_bytes_per_second", &Ceilings::l2BytesPerSecond},
    {"l1_bytes_per_second", &Ceilings::l1BytesPerSecond},
    {"shared_bytes_per_second", &Ceilings::sharedBytesPerSecond},
    {"fp32_flop_per_second", &Ceilings::fp32FlopPerSecond},
    {"launch_seconds", &Ceilings::launchSeconds},
    {"launch_and_wait_seconds", &Ceilings::launchAndWaitSeconds},
    {"dram_latency_seconds", &Ceilings::dramLatencySeconds},
    {"l2_latency_seconds", &Ceilings::l2LatencySeconds},
    {"l1_latency_seconds", &Ceilings::l1LatencySeconds},
    {"shared_latency_seconds", &Ceilings::sharedLatencySeconds},
    {"instruction_seconds", &Ceilings::instructionSeconds},
    {"barrier_seconds", &Ceilings::barrierSeconds},
    {"block_start_seconds", &Ceilings::blockStartSeconds},
    {"kernel_start_seconds", &Ceilings::kernelStartSeconds},
};

}  // namespace tilestep::device
