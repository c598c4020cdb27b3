// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "compile/compiler.h"
#include "compile/kernel.h"
#include "device/device.h"

/// Compilers run loads ahead of the conditions that guard them, `if (t == 0 && sum > limit)` for
/// instance. In their code, all threads then read what thread 0 alone reads in the text. So hazards
/// are judged by what clang makes of the text without optimising it (CompileRequest::asWritten).
namespace tilestep::lab {

/// Whether the hazards of this run may be the compiler's doing, or hidden by it.
[[nodiscard]] bool needsLookAsWritten(const device::Job& job, const device::Outcome& outcome);

/// The job that looks for hazards in `compiled`, which is the job's kernel as it is written.
[[nodiscard]] device::Job jobAsWritten(const device::Job& job, const compile::Plan& plan,
                                       const compile::Compiled& compiled);

/// Takes its hazards of plain accesses. Others it takes where the first run has such ones in the
/// same memory, shared or global: what a flag or an atomic operation is for is seen better in code
/// whose values lie in registers.
/// It does so unless it ended early and the first run did not, or its threads passed more or fewer
/// barriers: then it is another program, as a text may do one thing with one compiler and another
/// thing with the next (compile/text/compiler_names.h).
void takeHazards(device::Outcome& outcome, device::Outcome asWritten);

}  // namespace tilestep::lab
