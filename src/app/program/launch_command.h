// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/program_command.h"
#include "program/run.h"

namespace tilestep::app {

/// Implements `run --launch N`: runs the program up to that launch, runs the launch as an
/// experiment, and prints its result as for a kernel. The program's own output is suppressed.
int runOneLaunch(const ProgramOptions& options, program::RunRequest request);

}  // namespace tilestep::app
