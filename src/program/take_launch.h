// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "device/captured.h"
#include "program/run.h"

namespace tilestep::program {

/// Runs the program up to launch `number`, from 1, and captures that launch as a value. The
/// program's output is discarded. An Error if the program cannot be compiled, has no such launch,
/// or has more memory than a value may hold.
[[nodiscard]] Result<device::CapturedLaunch> takeLaunch(RunRequest request, uint64_t number,
                                                        const std::function<bool()>& cancelled);

}  // namespace tilestep::program
