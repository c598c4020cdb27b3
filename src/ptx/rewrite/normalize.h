// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The module with plain f32 and f64 add, sub and mul written .rn. Without a rounding suffix a
/// later compiler may fuse a product and a sum as it likes (PTX ISA 9.0, 9.7.3), so results would
/// differ between devices; fma names its rounding always. Only `suffixes` and `rounding` change.
[[nodiscard]] Module withExplicitRounding(Module module);

/// The module with `@p bra A; bra B; A:` written `@!p bra B; A:`, and where B is the nearer loop's
/// beginning and A lies elsewhere, `@p bra A; bra B;` written `@!p bra B; bra A;`. Clang ends loops
/// in the first way, for its code generator inverts no condition; the instrumenter finds loops by
/// the second (laps.h), which is NVRTC's way.
[[nodiscard]] Module withTurnedBranches(Module module);

}  // namespace tilestep::ptx
