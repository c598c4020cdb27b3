// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ptx/ir.h"

namespace tilestep::ptx {

/// Whether the function computes in f64, or calls for roots, reciprocals, divisions of floating
/// point, exponentials, logarithms or angles, or keeps data in local memory. One such instruction
/// of PTX takes the time of many others, which counts of f32 operations do not tell. Pure.
[[nodiscard]] bool hasCostlyWork(const Function& function);

}  // namespace tilestep::ptx
