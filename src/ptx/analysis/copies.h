// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether it is a cp.async from global to shared memory, the form that is counted, as a load and a
/// store.
[[nodiscard]] bool isCopy(const Instruction& instruction);

/// Whether any function of the module has asynchronous copies of that form.
[[nodiscard]] bool copiesAsynchronously(const Module& module);

/// Whether any function has copies of another form (cp.async.bulk), whose traffic is not counted.
[[nodiscard]] bool hasUncountedCopies(const Module& module);

}  // namespace tilestep::ptx
