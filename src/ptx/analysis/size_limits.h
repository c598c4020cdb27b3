// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The reason why the analyses would need too much memory for this function, as a clause; empty if
/// they would not. The analyses store facts for each pair of a block and a register, a branch and a
/// target, or a write and a read of a register, and even a short function can have very many such
/// pairs. Branch targets must be resolved.
[[nodiscard]] std::string whyTooLarge(const Function& function);

}  // namespace tilestep::ptx
