// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ptx/ir.h"

/// Branches to a return. Compilers make one return of all in a kernel, so `if (i >= n) return;` is
/// a branch to its end. The threads that take it have exited, and no barrier waits for them. Where
/// more is woven in before that one return, they would have something to do there first, and might
/// wait for the threads that are at the barrier, which wait for them.
namespace tilestep::ptx {

/// By instruction, and one more for the function's end: only branches without a guard and a return
/// follow.
[[nodiscard]] std::vector<bool> onlyReturns(const Function& function);

/// By instruction: a branch to such a place, while the threads that do not take it may come to a
/// barrier, to an instruction that lanes of a warp run together, or to a call, behind which either
/// may be.
[[nodiscard]] std::vector<bool> leavesOthersWaiting(const Function& function);

/// The same program, in which each of these branches has a return of its own behind it. A thread
/// runs as many instructions as before.
[[nodiscard]] Module withOwnReturns(Module module);

}  // namespace tilestep::ptx
