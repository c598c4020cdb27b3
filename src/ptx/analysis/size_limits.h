// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The reason, as part of a sentence, why the analyses would need too much memory for this
/// function; empty if they do not. They store facts per block and register, per branch and target,
/// and per write and read of a register, and even a short text can have a great many of these.
/// Branch targets must be resolved.
[[nodiscard]] std::string whyTooLarge(const Function& function);

}  // namespace tilestep::ptx
