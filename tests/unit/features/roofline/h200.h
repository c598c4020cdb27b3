// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "device/device.h"
#include "features/names.h"

namespace tilestep::features {

/// Measured ceilings of an NVIDIA H200.
inline device::Ceilings h200() {
  device::Ceilings ceilings;
  ceilings.device = "NVIDIA H200";
  ceilings.origin = "measured 2026-11-21";
  ceilings.measured = true;
  ceilings.fp32FlopPerSecond = 65e12;
  ceilings.dramBytesPerSecond = 4.525e12;
  ceilings.l2BytesPerSecond = 7.68e12;
  ceilings.l1BytesPerSecond = 28.9e12;
  ceilings.sharedBytesPerSecond = 32.4e12;
  return ceilings;
}

}  // namespace tilestep::features
