// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// For each instruction of `function`, returns whether it is a load after which the same thread may
/// reach an atomic operation on the same bytes (cas, exch of a constant, min, max, and, or) with an
/// unchanged address register and no barrier between. Such a load only prepares the operation, as
/// before a compare-and-swap loop. The operation reads the memory again, so an outdated value is
/// harmless. Before operations other than cas, the loaded value may only be compared, as in code
/// that sets a flag unless it is set. An addition does not count. Addresses are the same if they
/// use the same register (or copies of it) with the same offset. Called functions are not examined.
[[nodiscard]] std::vector<bool> firstLooks(const ptx::Function& function);

}  // namespace tilestep::simt
