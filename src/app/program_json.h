// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "program/record.h"

namespace tilestep::app {

/// The output of `run --json` for a program: docs/programs.md.
[[nodiscard]] std::string programJson(const program::ProgramRun& run, const std::string& source);

}  // namespace tilestep::app
