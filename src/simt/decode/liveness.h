// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "ptx/analysis/control_flow.h"

namespace tilestep::simt {

/// Registers that some path through the function reads before writing them, ascending. They start
/// as zero in every block; the others need not be cleared. Backward data flow over basic blocks.
[[nodiscard]] std::vector<uint32_t> readBeforeWritten(const ptx::Function& function,
                                                      const ptx::ControlFlow& flow);

/// By body index of a call: the registers whose values are needed after it returns.
[[nodiscard]] std::map<uint32_t, std::vector<uint32_t>> liveBehindCalls(
    const ptx::Function& function, const ptx::ControlFlow& flow);

}  // namespace tilestep::simt
