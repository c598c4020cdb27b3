// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/experiment.h"
#include "lab/run/finish.h"
#include "lab/run/kernel_builds.h"
#include "lab/run/run_memory.h"

/// Compilers run loads ahead of the conditions that guard them, as in `if (t == 0 && sum > limit)`.
/// In their code, all threads then read a variable that only thread 0 reads in the text. Hazards
/// that a run finds are therefore suspicions: they are judged by a second run, of the kernel as
/// clang compiles it with loads in their places (CompileRequest::asWritten).
namespace tilestep::lab {

/// Replaces the hazards of the first run, `outcome`, by those of the run as written, unless only
/// that one ended early. If time ran out during the run as written alone, `outcome` gets the fault
/// "time-limit".
void takeHazards(device::Outcome& outcome, device::Outcome asWritten);

/// Judges the hazards of `outcome`, the result of `job`, in the kernel as written. They stay where
/// there is no clang or it rejects the text, and in a captured launch, whose code has no early
/// loads. Errors: it was cancelled; there was too little time or memory.
Status lookAsWritten(KernelBuilds& builds, const Experiment& experiment, const Prepared& prepared,
                     const device::Job& job, const device::Stop& stop, RunMemory& memory,
                     device::Outcome& outcome);

}  // namespace tilestep::lab
