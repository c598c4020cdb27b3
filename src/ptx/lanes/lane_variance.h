// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/analysis/control_flow.h"
#include "ptx/ir.h"

namespace tilestep::ptx {

/// By register: whether it may hold different values in the lanes of one warp that read it
/// together. Parameters of an entry are the same in all lanes; those of other functions may differ.
///
/// Values differ if they are computed from the thread's index, from loads at different addresses,
/// or from atomic operations. They also differ if they were written on paths that only some of the
/// lanes took, or in different iterations of a loop, before the lanes reconverged. Source: Coutinho
/// and others, Divergence Analysis and Optimizations (PACT 2011).
[[nodiscard]] std::vector<bool> varyingRegisters(const Function& function, const ControlFlow& flow);

}  // namespace tilestep::ptx
