// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// The exits of the loop that depend on other threads or on the time: on an atomic operation, a
/// volatile load, an mbarrier or a clock in the loop itself. Ascending.
[[nodiscard]] std::vector<uint32_t> waitsOf(const Function& function, const ControlFlow& flow,
                                            const RegisterGraph& graph, const Loop& loop);

/// The instructions that threads run after leaving the loop by `exit`, up to the next barriers. An
/// H200 was observed to keep lanes diverged there after they had left such a loop one by one.
[[nodiscard]] std::vector<uint32_t> upToBarrier(const Function& function, const ControlFlow& flow,
                                                const Loop& loop, uint32_t exit);

}  // namespace tilestep::ptx
