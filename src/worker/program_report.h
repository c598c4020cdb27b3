// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/program/program_summary.h"

namespace tilestep::worker {

/// The report that `run --report FILE` writes for its parent process: the summary of a program's
/// run, or why the program could not be compiled or started.
[[nodiscard]] std::string reportOf(const Result<lab::ProgramSummary>& summary);
/// The inverse of reportOf(). The Error names a missing, mistyped or impossible field.
[[nodiscard]] Result<lab::ProgramSummary> readReport(std::string_view text);

}  // namespace tilestep::worker
