// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The exits of the loop that depend on other threads or the time, through an atomic operation, a
/// volatile load, an mbarrier or a clock in the loop. Ascending.
[[nodiscard]] std::vector<uint32_t> waitsOf(const Function& function, const ControlFlow& flow,
                                            const RegisterGraph& graph, const Loop& loop);

/// The instructions that threads run after leaving the loop through `exit`, up to the next
/// barriers. Lanes that had left such a loop one by one remained diverged there on an H200.
[[nodiscard]] std::vector<uint32_t> upToBarrier(const Function& function, const ControlFlow& flow,
                                                const Loop& loop, uint32_t exit);

}  // namespace tilestep::ptx
