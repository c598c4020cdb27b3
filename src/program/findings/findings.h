// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "program/record.h"

/// Mistakes in a program's host code (docs/programs.md explains each kind). Each function examines
/// only the record of a run. Functions that examine the accesses of launches need a run with
/// --check.
namespace tilestep::program {

/// Turns a race into a remark if all writing threads store the same value, and no other order of
/// the kernel's threads changed the result.
void moveHarmlessRaces(ProgramRun& run);

using Findings = std::vector<Finding>;

/// Launches whose failures were never checked, and calls that returned these failures as their own.
[[nodiscard]] Findings uncheckedErrors(const ProgramRun& run);
/// Results that were never set, and launches with too few threads to set them.
[[nodiscard]] Findings unsetOutputs(const ProgramRun& run);
/// Unordered accesses of several streams, or of the host and the device, to the same bytes.
[[nodiscard]] Findings unordered(const ProgramRun& run);
/// Host addresses that kernels dereferenced.
[[nodiscard]] Findings hostPointers(const ProgramRun& run);
/// Less dynamic shared memory than a kernel uses.
[[nodiscard]] Findings sharedSizes(const ProgramRun& run);
/// Copies of fewer bytes than kernels read afterwards.
[[nodiscard]] Findings wrongSizes(const ProgramRun& run);
/// Copies back whose byte count equals the element count, if launches set all elements and nothing
/// reads the rest.
[[nodiscard]] Findings shortResults(const ProgramRun& run);

/// The following functions find remarks.
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

/// Adds all findings. Likely causes precede their effects.
void addFindings(ProgramRun& run);

}  // namespace tilestep::program
