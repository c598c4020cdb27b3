// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the assembler may unroll the loop. Threads with many remaining iterations then run a
/// copy of the body that covers several iterations.
///
/// For sm_80 to sm_120, `ptxas` 13.0 was observed to unroll innermost loops that have one exit and
/// count by a constant up to a loop-invariant limit. They must be short, contain no barrier,
/// exchange between lanes, atomic operation or call, and have no `nounroll` pragma. The rules are
/// not published; docs/measurements/parted-lanes.md describes the experiments.
[[nodiscard]] bool mayBeUnrolled(const Function& function, const ControlFlow& flow,
                                 const RegisterGraph& graph, const Loop& loop);

}  // namespace tilestep::ptx
