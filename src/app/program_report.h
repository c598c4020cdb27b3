// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/program/program_summary.h"

namespace tilestep::app {

/// What a run of a program came to, for people: whether it reports failure, what ran, the faults in
/// the order of their cause, the remarks, and what was not looked at. `command`: the program's
/// first file, with its arguments. `couldCheck`: races and values that nobody set were not looked
/// for, but could be.
[[nodiscard]] std::string programReport(const lab::ProgramSummary& summary,
                                        const std::string& command, bool couldCheck);

}  // namespace tilestep::app
