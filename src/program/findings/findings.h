// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "program/record.h"

/// Mistakes in a program's host code. Each function examines the record of a run, and nothing else;
/// docs/programs.md says what each kind means. Those that examine the accesses of launches find
/// something only in a run with --check.
namespace tilestep::program {

/// Turns races into remarks if all threads write the same value to a place that others read
/// meanwhile, and no other order of the kernel's threads changed the result.
void moveHarmlessRaces(ProgramRun& run);

using Findings = std::vector<Finding>;

/// Launches whose failures were never checked, and calls that were blamed for them.
[[nodiscard]] Findings uncheckedErrors(const ProgramRun& run);
/// Results that were never set, and launches with too few threads to set them.
[[nodiscard]] Findings unsetOutputs(const ProgramRun& run);
/// Work of several streams, or of the host, that uses the same bytes without an order.
[[nodiscard]] Findings unordered(const ProgramRun& run);
/// Host addresses that kernels dereferenced.
[[nodiscard]] Findings hostPointers(const ProgramRun& run);
/// Less dynamic shared memory than a kernel uses.
[[nodiscard]] Findings sharedSizes(const ProgramRun& run);
/// Copies of fewer bytes than are read afterwards.
[[nodiscard]] Findings wrongSizes(const ProgramRun& run);
/// Copies back of as many bytes as there are elements, if launches set all elements and nothing
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
/// Launches that add to the result of an equal launch.
[[nodiscard]] Findings accumulated(const ProgramRun& run);
[[nodiscard]] Findings neverAwaited(const ProgramRun& run);
[[nodiscard]] Findings timers(const ProgramRun& run);
[[nodiscard]] Findings slowRequests(const ProgramRun& run);
[[nodiscard]] Findings sharedWithoutUse(const ProgramRun& run);
[[nodiscard]] Findings smallBlocks(const ProgramRun& run);
[[nodiscard]] Findings neverFreed(const ProgramRun& run);

/// Adds all findings, in order of cause.
void addFindings(ProgramRun& run);

}  // namespace tilestep::program
