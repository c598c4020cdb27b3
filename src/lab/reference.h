// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Above so many products a matrix product is compared in a share of its rows, evenly spread, and
/// Check::reference says which: all of 2048^3, one row in five of 4096^3.
constexpr double kExactProducts = 17.2e9;

/// Compares the outputs with what float64 says, from the seeded inputs alone.
///
/// `reference`: "matmul" (the first two input buffers and the first output: m x k, k x n, m x n),
/// "sum" (elementwise), "transpose", or empty: then only `unwritten` counts. A product is right
/// when max |out - ref| / sum |a||b| <= 2^-22 sqrt(k); the others when every element is equal.
/// NaN and infinities are counted and never right; the error is then the greatest finite number.
/// Errors: operands that do not have the shape or type that the reference needs. Uses all cores.
tilestep::Result<Check> checkOutputs(const std::string& reference,
                                     const std::vector<device::Operand>& operands,
                                     const std::vector<std::vector<std::byte>>& outputs,
                                     uint64_t seed, uint64_t unwritten,
                                     const device::Cancelled& cancelled);

}  // namespace tilestep::lab
