// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Why the analyses would take too much memory for this function, as a part of a sentence; empty:
/// they do not. Each fact that they keep is one of a block and a register, of a branch and its
/// target, or of a write and a read of one register; a short text can have any number of them.
/// Branch targets must be resolved.
[[nodiscard]] std::string whyTooLarge(const Function& function);

}  // namespace tilestep::ptx
