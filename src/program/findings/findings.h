// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "program/record.h"

/// Mistakes in a program's host code. Each function examines the record of a run, and nothing
/// else; docs/programs.md says what each kind means. Those that look at launches' accesses find
/// something only in a run with --check.
namespace tilestep::program {

/// Makes remarks of races in which all threads write the same value to a place that others read
/// meanwhile, where no other order of the kernel's threads changed what it leaves.
void moveHarmlessRaces(ProgramRun& run);

using Findings = std::vector<Finding>;

/// Launches that failed and were never asked about, and the calls that were blamed for them.
[[nodiscard]] Findings uncheckedErrors(const ProgramRun& run);
/// Results that nobody set, and launches with too few threads to set them.
[[nodiscard]] Findings unsetOutputs(const ProgramRun& run);
/// Work of several streams, or of the host, that uses the same bytes in no order.
[[nodiscard]] Findings unordered(const ProgramRun& run);
/// Addresses of the host that kernels followed.
[[nodiscard]] Findings hostPointers(const ProgramRun& run);
/// Less dynamic shared memory than a kernel uses.
[[nodiscard]] Findings sharedSizes(const ProgramRun& run);
/// Copies of fewer bytes than are read behind them.
[[nodiscard]] Findings wrongSizes(const ProgramRun& run);
/// Copies back of as many bytes as there are elements, where launches set them all and nothing
/// reads the rest.
[[nodiscard]] Findings shortResults(const ProgramRun& run);

/// Remarks.
[[nodiscard]] Findings notJudged(const ProgramRun& run);
[[nodiscard]] Findings unchangedOutputs(const ProgramRun& run);
[[nodiscard]] Findings unreadInputs(const ProgramRun& run);
[[nodiscard]] Findings filledNumbers(const ProgramRun& run);
[[nodiscard]] Findings atomicsOnFloats(const ProgramRun& run);
[[nodiscard]] Findings zerosAlone(const ProgramRun& run);
/// Asynchronous copies that make the host wait.
[[nodiscard]] Findings pageableCopies(const ProgramRun& run);
/// Launches that add to what an equal launch has left.
[[nodiscard]] Findings accumulated(const ProgramRun& run);
[[nodiscard]] Findings neverAwaited(const ProgramRun& run);
[[nodiscard]] Findings timers(const ProgramRun& run);
[[nodiscard]] Findings slowRequests(const ProgramRun& run);
[[nodiscard]] Findings sharedWithoutUse(const ProgramRun& run);
[[nodiscard]] Findings smallBlocks(const ProgramRun& run);
[[nodiscard]] Findings neverFreed(const ProgramRun& run);

/// Adds what all of them find, in order of cause.
void addFindings(ProgramRun& run);

}  // namespace tilestep::program
