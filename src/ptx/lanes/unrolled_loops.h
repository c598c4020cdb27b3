// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/loop_nest.h"
#include "ptx/analysis/register_graph.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the assembler may unroll a loop into pieces of several iterations, which are run by
/// threads with many remaining iterations.
///
/// `ptxas` 13.0 was observed to do so, for sm_80 to sm_120, with innermost loops that have one exit
/// and count by a constant up to a loop-invariant limit, if they are short and contain no barrier,
/// exchange between lanes, atomic operation or call, and no pragma forbids it. Its rules are not
/// published; docs/measurements/parted-lanes.md describes the experiments.
[[nodiscard]] bool mayBeUnrolled(const Function& function, const ControlFlow& flow,
                                 const RegisterGraph& graph, const Loop& loop);

}  // namespace tilestep::ptx
