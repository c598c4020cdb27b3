// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the function computes in f64, computes roots, reciprocals, floating-point quotients,
/// exponentials, logarithms or trigonometric functions, calls a function, or keeps data in local
/// memory. One such instruction takes the time of many others, and counts of f32 operations do not
/// include it. Pure.
[[nodiscard]] bool hasCostlyWork(const Function& function);

}  // namespace tilestep::ptx
