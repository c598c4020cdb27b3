// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/program/program_summary.h"

namespace tilestep::app {

/// The result of a program's run as text: whether it failed, its launches, its faults with causes
/// first, its remarks, and the checks that were not made. `command` is the program's first
/// file and its arguments. `couldCheck` says that --check was not given but would work.
[[nodiscard]] std::string programReport(const lab::ProgramSummary& summary,
                                        const std::string& command, bool couldCheck);

}  // namespace tilestep::app
