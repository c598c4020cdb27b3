// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Adds .rn to floating-point add, sub and mul without a rounding suffix. Otherwise the assembler
/// may fuse a product and a sum (PTX ISA 9.0, section 9.7.3), so that results would differ between
/// devices. Only `suffixes` and `rounding` change.
[[nodiscard]] Module withExplicitRounding(Module module);

/// Rewrites `@p bra A; bra B; A:` as `@!p bra B; A:`, and `@p bra A; bra B;` as `@!p bra B; bra A;`
/// if B is the start of the innermost loop and A is elsewhere. Clang ends loops with the original
/// forms, because its code generator does not invert conditions; NVRTC emits the rewritten forms.
/// So the PTX of both compilers has the same form.
[[nodiscard]] Module withTurnedBranches(Module module);

/// Rewrites `ld x, [A]; ld y, [B]; selp z, x, y, p` as `@p ld x, [A]; @!p ld y, [B]; selp z, x, y,
/// p`, where A and B are variables. Clang before version 20 compiles `p ? a : b` to the original
/// form, in which each thread reads both variables.
[[nodiscard]] Module withGuardedSelections(Module module);

}  // namespace tilestep::ptx
