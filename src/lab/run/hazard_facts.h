// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::lab {

/// Reduces the messages of `hazards` to what happened, and removes the fix, which an exercise asks
/// for: "Thread 8 reads bins[0], thread 0 writes it, both at line 12, and nothing orders the two."
void leaveOutAdvice(const compile::Plan& plan, std::vector<device::Hazard>& hazards);

}  // namespace tilestep::lab
