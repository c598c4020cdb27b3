// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "lab/experiment.h"

/// Checks that the parts of a result from another process are consistent, so that indexes lie
/// inside their lists and loops over them are short. lab/describe.cpp has the bounds of single
/// fields. Pure.
namespace tilestep::lab {

/// Error: a launch without threads or blocks, an operand or picture with inconsistent sizes, or a
/// trace of a block or operand that is not in the plan.
Status checkResult(const RunResult& result);

/// The number of lines of a source; a final line break starts another, empty line.
[[nodiscard]] uint32_t sourceLinesOf(std::string_view text);

/// Error if the result's trace, faults, hazards, printed texts or uncertain counts name a source
/// line above `lines`.
Status checkLines(const RunResult& result, uint32_t lines);

}  // namespace tilestep::lab
