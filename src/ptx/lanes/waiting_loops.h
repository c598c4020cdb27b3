// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// An exit of the loop that depends on what other threads do meanwhile, or on the time: on an
/// atomic operation's result, on a volatile load, or on a clock, in the loop itself. Nothing: there
/// is none.
[[nodiscard]] std::optional<uint32_t> waitOf(const Function& function, const ControlFlow& flow,
                                             const RegisterGraph& graph, const Loop& loop);

/// The instructions that threads run after they leave the loop by `exit`, up to the next barriers.
/// An H200 was seen to keep lanes apart there that had left such a loop one by one.
[[nodiscard]] std::vector<uint32_t> upToBarrier(const Function& function, const ControlFlow& flow,
                                                const Loop& loop, uint32_t exit);

}  // namespace tilestep::ptx
