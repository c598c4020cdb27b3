// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether any function of the module begins asynchronous copies (cp.async): what those read is
/// none of the counted loads, and what they write none of the counted stores to shared memory.
[[nodiscard]] bool copiesAsynchronously(const Module& module);

}  // namespace tilestep::ptx
