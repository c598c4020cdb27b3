// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "lab/program/program_summary.h"

namespace tilestep::worker {

/// What `run --report FILE` writes of a program, for the process that started it: what the run came
/// to, or why the program could not be compiled or started.
[[nodiscard]] std::string reportOf(const Result<lab::ProgramSummary>& summary);
/// The same. What is missing, mistyped or impossible is an Error that names it.
[[nodiscard]] Result<lab::ProgramSummary> readReport(std::string_view text);

}  // namespace tilestep::worker
