// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "base/result.h"
#include "device/captured.h"
#include "program/run.h"

namespace tilestep::program {

/// Runs the program up to launch `number`, from 1, and takes that launch as a value. The program
/// prints nothing. An Error where it cannot be compiled, has no such launch, or has more memory
/// than a value may hold.
[[nodiscard]] Result<device::CapturedLaunch> takeLaunch(RunRequest request, uint64_t number,
                                                        const std::function<bool()>& cancelled);

}  // namespace tilestep::program
