// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// By instruction of `function`: whether it is a load after which the same thread may reach an
/// atomic operation on the same bytes (cas, exch, min, max, and, or) with an unchanged address
/// register and no barrier between. Such a read only prepares the operation, as before a
/// compare-and-swap loop: the operation reads again and decides, so an old value does no harm. An
/// addition does not check again, nor does an exchange: before an exchange, the value may only be
/// compared, as in code that sets a flag unless it is set. Addresses are the same if they use one
/// register (or copies of it) with one offset. Called functions are not examined.
[[nodiscard]] std::vector<bool> firstLooks(const ptx::Function& function);

}  // namespace tilestep::simt
