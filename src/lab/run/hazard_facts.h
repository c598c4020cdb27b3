// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "compile/kernel.h"
#include "device/device.h"

namespace tilestep::lab {

/// Reduces each hazard's message to a description of what happened. The message's fix is removed,
/// because an exercise asks for it: "Thread 8 reads bins[0], thread 0 writes it, both at line 12,
/// and nothing orders the two."
void leaveOutAdvice(const compile::Plan& plan, std::vector<device::Hazard>& hazards);

}  // namespace tilestep::lab
