// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "lab/experiment.h"

/// Whether parts of a result from another process fit together, so that indexes lie inside their
/// lists and loops over them end soon. The bounds of single fields are in lab/describe.cpp. Pure.
namespace tilestep::lab {

/// An Error names a launch without threads or blocks, an operand or picture whose sizes do not fit,
/// or a trace of a block or operand that the plan lacks.
Status checkResult(const RunResult& result);

/// The number of lines of a source; one that ends with a line break has an empty one after it.
[[nodiscard]] uint32_t sourceLinesOf(std::string_view text);

/// An Error if the result's trace, faults, hazards, printed texts or uncertain counts name a line
/// of the kernel's source above `lines`.
Status checkLines(const RunResult& result, uint32_t lines);

}  // namespace tilestep::lab
