// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/program_command.h"
#include "base/result.h"
#include "device/captured.h"
#include "program/run.h"

namespace tilestep::app {

/// Runs the program up to launch `options.launch` and takes that launch as a value. The program
/// prints nothing. An Error where it cannot be compiled or has no such launch.
[[nodiscard]] Result<device::CapturedLaunch> captureLaunch(const ProgramOptions& options,
                                                           program::RunRequest request);

/// `run --launch N`: runs the program up to that launch, takes the launch as an experiment, and
/// prints its result as `run` of a kernel does. The program prints nothing.
int runOneLaunch(const ProgramOptions& options, program::RunRequest request);

}  // namespace tilestep::app
