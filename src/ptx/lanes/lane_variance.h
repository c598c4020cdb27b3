// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// For each register, whether it may hold different values in lanes of a warp that read it
/// together. Parameters of an entry are the same in all lanes; parameters of other functions may
/// differ.
///
/// Values may differ if they are computed from the thread index, loads from different addresses, or
/// atomic operations. They may also differ after the lanes reconverge, if they were written on
/// paths that only some lanes took, or in different iterations of a loop. Source: Coutinho and
/// others, Divergence Analysis and Optimizations (PACT 2011).
[[nodiscard]] std::vector<bool> varyingRegisters(const Function& function, const ControlFlow& flow);

}  // namespace tilestep::ptx
