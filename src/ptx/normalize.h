// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// The module with plain f32 and f64 add, sub and mul written .rn. Without a rounding suffix a
/// later compiler may fuse a product and a sum as it likes (PTX ISA 9.0, 9.7.3), so results would
/// differ between devices; fma names its rounding always. Only `suffixes` and `rounding` change.
[[nodiscard]] Module withExplicitRounding(Module module);

}  // namespace tilestep::ptx
