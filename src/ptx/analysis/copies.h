// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether it is a cp.async from global to shared memory of 4, 8 or 16 bytes. Only these
/// asynchronous copies are counted, as a load and a store.
[[nodiscard]] bool isCopy(const Instruction& instruction);

/// Whether the module contains an instruction for which isCopy() holds.
[[nodiscard]] bool copiesAsynchronously(const Module& module);

/// Whether the module contains other asynchronous copies (cp.async.bulk), which are not counted.
[[nodiscard]] bool hasUncountedCopies(const Module& module);

}  // namespace tilestep::ptx
