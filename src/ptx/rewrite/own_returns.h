// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

/// Handles branches to a return. Compilers merge all returns of a kernel into one, so `if (i >= n)
/// return;` becomes a branch to its end. Threads that take it have exited, and no barrier waits for
/// them. If code is inserted before that common return, they have to run it first, and may wait
/// there for threads at a barrier that in turn wait for them.
namespace tilestep::ptx {

/// Indexed by instruction, with one more element for the function's end: whether only unguarded
/// branches and a return follow.
[[nodiscard]] std::vector<bool> onlyReturns(const Function& function);

/// Indexed by instruction: whether it is a branch to such a place while the other threads may reach
/// a barrier, an instruction that the lanes of a warp execute together, or a call, which may lead
/// to either.
[[nodiscard]] std::vector<bool> leavesOthersWaiting(const Function& function);

/// The same program with a separate return after each of these branches. Threads execute the same
/// number of instructions as before.
[[nodiscard]] Module withOwnReturns(Module module);

}  // namespace tilestep::ptx
