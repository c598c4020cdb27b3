// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/program/program_summary.h"
#include "program/record.h"

namespace tilestep::program {

/// The run's results in sentences, in reading order. `checked` means that the run checked for races
/// and for values that were never set.
[[nodiscard]] lab::ProgramSummary summaryOf(const ProgramRun& run, bool checked);

/// The findings alone. Faults come before remarks, and likely causes before their effects.
[[nodiscard]] std::vector<lab::ProgramFinding> findingsOf(const ProgramRun& run);
/// The steps alone: calls and launches in the order of the host's requests. Steps beyond `most` are
/// only counted.
[[nodiscard]] std::vector<lab::ProgramStep> stepsOf(const ProgramRun& run, size_t most,
                                                    uint64_t& leftOut);

}  // namespace tilestep::program
