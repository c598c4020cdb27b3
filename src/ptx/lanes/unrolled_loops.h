// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the assembler may unroll a loop into pieces of several iterations, through which threads
/// go that have many iterations left.
///
/// `ptxas` 13.0 was seen to do so, for sm_80 to sm_120, with innermost loops of one exit that count
/// by a constant up to a limit that does not change in the loop, if they are short and hold no
/// barrier, exchange between lanes, atomic operation or call, and no pragma forbids it. Its rules
/// are not published; docs/measurements/parted-lanes.md says what was tried.
[[nodiscard]] bool mayBeUnrolled(const Function& function, const ControlFlow& flow,
                                 const RegisterGraph& graph, const Loop& loop);

}  // namespace tilestep::ptx
