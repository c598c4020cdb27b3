// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// Matrix products with more multiplications than this are compared only in an evenly spread share
/// of their rows, which Check::reference states: all rows of 2048^3, one in five of 4096^3.
constexpr double kExactProducts = 17.2e9;

/// The same for convolutions.
constexpr double kExactConvolutions = 2e9;

/// What checks the outputs.
struct Reference {
  std::string name;              ///< See checkOutputs.
  int64_t elementsPerBlock = 0;  ///< Used by "block_sums" and "block_scan".
};

/// Compares the outputs with what float64 says, from the seeded inputs alone.
///
/// `reference`: "matmul" (the first two input buffers and the first output: m x k, k x n, m x n),
/// "sum" (elementwise), "transpose", "block_sums" (output b is the sum of the first input's
/// elements from b * elementsPerBlock up to the next block's), "block_scan" (the inclusive prefix
/// sums of each of these blocks), "convolution" (lab/array_reference.h, of the first input buffer
/// with the next input, which may be a symbol), or empty: then only `unwritten` counts. A product
/// is right when max |out - ref| / sum |a||b| <= 2^-22 sqrt(k), a convolution by the same with the
/// filter's elements for k, a floating-point sum of a block or of a part of it when max |out - ref|
/// / sum |a| <= 2^-22 sqrt(elementsPerBlock); the others when every element is equal (integer sums
/// of blocks wrap around as the type does). NaN and infinities are
/// counted and never right; the error is then the greatest finite number. Errors: operands that do
/// not have the shape or type that the reference needs (of the request), and where it was stopped
/// by `cancelled`, which is asked every few milliseconds. Uses all cores.
Result<Check> checkOutputs(const Reference& reference, const std::vector<device::Operand>& operands,
                           const std::vector<std::vector<std::byte>>& outputs, uint64_t seed,
                           uint64_t unwritten, const device::Cancelled& cancelled);

}  // namespace tilestep::lab
