// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "program/record.h"
#include "program/service.h"

namespace tilestep::program {

/// Puts what was served into the run, and adds what only the whole run shows, such as errors that
/// nobody asked for.
void takeServed(Served served, ProgramRun& run);

}  // namespace tilestep::program
