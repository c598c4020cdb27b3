// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/experiment.h"
#include "lab/run/finish.h"
#include "lab/run/kernel_builds.h"
#include "lab/run/run_memory.h"

/// Compilers hoist loads above the conditions that guard them, as in `if (t == 0 && sum > limit)`.
/// In the compiled code, all threads then read a variable that only thread 0 reads in the source.
/// The hazards of a run are therefore only suspicions: they are judged by a second run, of the
/// kernel as clang compiles it without hoisting (CompileRequest::asWritten).
namespace tilestep::lab {

/// Replaces the hazards of the first run, `outcome`, with those of the second run, `asWritten`,
/// unless only the second run ended early. If time ran out only in the second run, `outcome` gets
/// the fault "time-limit".
void takeHazards(device::Outcome& outcome, device::Outcome asWritten);

/// Judges the hazards of `outcome`, the result of `job`, by running the kernel as written. Leaves
/// them unchanged if there is no clang, if clang rejects the source, and for a captured launch,
/// whose code has no hoisted loads. Errors: cancelled; too little time or memory.
Status lookAsWritten(KernelBuilds& builds, const Experiment& experiment, const Prepared& prepared,
                     const device::Job& job, const device::Stop& stop, RunMemory& memory,
                     device::Outcome& outcome);

}  // namespace tilestep::lab
