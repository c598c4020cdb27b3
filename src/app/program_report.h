// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "lab/program/program_summary.h"

namespace tilestep::app {

/// The result of a program's run as text: whether it failed, the launches, the faults in the order
/// of their cause, the remarks, and checks that were not made. `command`: the program's first file,
/// with its arguments. `couldCheck`: races and uninitialised values were not checked for, but could
/// be.
[[nodiscard]] std::string programReport(const lab::ProgramSummary& summary,
                                        const std::string& command, bool couldCheck);

}  // namespace tilestep::app
