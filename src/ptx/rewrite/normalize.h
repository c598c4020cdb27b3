// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The module with .rn added to plain f32 and f64 add, sub and mul. Without a rounding suffix a
/// later compiler may fuse a product and a sum (PTX ISA 9.0, 9.7.3), so results would differ
/// between devices; fma always specifies its rounding. Only `suffixes` and `rounding` change.
[[nodiscard]] Module withExplicitRounding(Module module);

/// The module with `@p bra A; bra B; A:` rewritten as `@!p bra B; A:`, and `@p bra A; bra B;` as
/// `@!p bra B; bra A;` if B is the start of the innermost loop and A is elsewhere. Clang ends loops
/// in the first form, because its code generator does not invert conditions; NVRTC emits the
/// second, so the PTX of both compilers reads alike.
[[nodiscard]] Module withTurnedBranches(Module module);

/// The module with `ld x, [A]; ld y, [B]; selp z, x, y, p` rewritten as `@p ld x, [A]; @!p ld y,
/// [B]; selp z, x, y, p`, where A and B are variables. Clang before version 20 compiles `p ? a : b`
/// to the first form, in which each thread reads both.
[[nodiscard]] Module withGuardedSelections(Module module);

}  // namespace tilestep::ptx
