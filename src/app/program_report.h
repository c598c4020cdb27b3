// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

namespace tilestep::app {

/// What a run of a program came to, for people: whether it reports failure, what ran, the faults in
/// the order of their cause, the remarks, and what was not looked at. `command`: the program's
/// first file, with its arguments. `checked`: races and values that nobody set were looked for.
[[nodiscard]] std::string programReport(const program::ProgramRun& run, const std::string& command,
                                        bool checked);

/// Whether anything was found that is wrong.
[[nodiscard]] bool hasFault(const program::ProgramRun& run);

}  // namespace tilestep::app
