// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "device/captured.h"
#include "program/run.h"

namespace tilestep::program {

/// Runs the program up to launch `number` (from 1), and captures that launch. The program's output
/// is discarded. Errors: the program cannot be compiled, has no such launch, or uses more memory
/// than a captured launch may hold.
[[nodiscard]] Result<device::CapturedLaunch> takeLaunch(RunRequest request, uint64_t number,
                                                        const std::function<bool()>& cancelled);

}  // namespace tilestep::program
