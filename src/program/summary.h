// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "lab/program/program_summary.h"
#include "program/record.h"

namespace tilestep::program {

/// The run's results in sentences, in the order of reading. `checked`: races and
/// values that nobody set were looked for.
[[nodiscard]] lab::ProgramSummary summaryOf(const ProgramRun& run, bool checked);

/// Part of it: the faults in the order of their cause, then the remarks.
[[nodiscard]] std::vector<lab::ProgramFinding> findingsOf(const ProgramRun& run);
/// Part of it: the calls and launches in the order in which the host asked for them. What is beyond
/// `most` is only counted.
[[nodiscard]] std::vector<lab::ProgramStep> stepsOf(const ProgramRun& run, size_t most,
                                                    uint64_t& leftOut);

}  // namespace tilestep::program
