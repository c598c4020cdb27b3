// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.h"
#include "device/device.h"
#include "device/stop.h"
#include "lab/experiment.h"
#include "lab/run/finish.h"
#include "lab/run/kernel_builds.h"
#include "lab/run/run_memory.h"

/// Compilers run loads ahead of the conditions that guard them, `if (t == 0 && sum > limit)` for
/// instance. In their code, all threads then read what thread 0 alone reads in the text. So hazards
/// are judged by what clang makes of the text without optimising it (CompileRequest::asWritten).
namespace tilestep::lab {

/// Whether the hazards of this run may be the compiler's doing, or hidden by it.
[[nodiscard]] bool needsLookAsWritten(const device::Job& job, const device::Outcome& outcome);

/// Replaces the hazards of the first run, `outcome`, by those of the run as written. Of these, a
/// hazard of a flag or an atomic operation counts only where the first run has one in the same
/// memory, shared or global, because what a flag is for is seen better in code whose values lie in
/// registers. So the first run's hazards of flags are dropped where this run has none.
/// Nothing is replaced where the run as written ended early and the first one did not, or its
/// threads passed more or fewer barriers: then it was another program
/// (compile/text/compiler_names.h). Where only the clock ended it, `outcome` gets the fault
/// "time-limit".
void takeHazards(device::Outcome& outcome, device::Outcome asWritten);

/// Looks for hazards once more in the kernel as it is written, where that may matter. Those of
/// `outcome`, which `job` brought, stay where there is no clang or it refuses the text, and where
/// the text may tell compilers apart. Errors: it was cancelled; time or memory were too little to
/// find out.
Status lookAsWritten(KernelBuilds& builds, const Experiment& experiment, const Prepared& prepared,
                     const device::Job& job, const device::Stop& stop, RunMemory& memory,
                     device::Outcome& outcome);

}  // namespace tilestep::lab
