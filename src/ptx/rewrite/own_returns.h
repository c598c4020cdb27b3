// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

/// Handles branches to a return that they share. Compilers merge all returns of a kernel into one,
/// so `if (i >= n) return;` becomes a branch to the kernel's end. Threads that take the branch
/// exit, and no barrier waits for them. If code is inserted before the common return, these threads
/// run it first, and may wait there for threads that wait for them at a barrier.
namespace tilestep::ptx {

/// For each instruction and the end: whether only unguarded branches and a return follow.
[[nodiscard]] std::vector<bool> onlyReturns(const Function& function);

/// For each instruction: whether it is a branch to an instruction with onlyReturns(), and threads
/// that do not take the branch may reach a barrier, an instruction that the lanes of a warp execute
/// together, or a call, which may contain either.
[[nodiscard]] std::vector<bool> leavesOthersWaiting(const Function& function);

/// The same program with a separate return after each branch for which leavesOthersWaiting() holds.
/// Threads execute the same number of instructions as before.
[[nodiscard]] Module withOwnReturns(Module module);

}  // namespace tilestep::ptx
