// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

namespace tilestep::simt {

/// By instruction of `function`: a load after which the same thread may come to an atomic operation
/// on the same bytes (cas, exch, min, max, and, or), its address register unchanged and no barrier
/// between. Such a read is a first look, as before a loop of compare and swap: the operation looks
/// again and decides, so an old value does no harm. An addition does not look again. Addresses are
/// the same where they are one register (or copies of one) with one offset; what functions that are
/// called do is not looked at.
[[nodiscard]] std::vector<bool> firstLooks(const ptx::Function& function);

}  // namespace tilestep::simt
