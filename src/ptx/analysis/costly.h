// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the function computes in f64, computes roots, reciprocals, floating-point quotients,
/// exponentials, logarithms or trigonometric functions, calls a function, or uses local memory.
/// Such an instruction takes as long as many others, and is no f32 operation in the counts.
[[nodiscard]] bool hasCostlyWork(const Function& function);

}  // namespace tilestep::ptx
