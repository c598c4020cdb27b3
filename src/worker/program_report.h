// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/program/program_summary.h"

namespace tilestep::worker {

/// The report of a program that `run --report FILE` writes for its parent process: the summary of
/// the run, or why the program could not be compiled or started.
[[nodiscard]] std::string reportOf(const Result<lab::ProgramSummary>& summary);
/// The inverse of reportOf(). A missing, mistyped or impossible field is an Error that names it.
[[nodiscard]] Result<lab::ProgramSummary> readReport(std::string_view text);

}  // namespace tilestep::worker
