// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/result.h"
#include "device/device.h"
#include "lab/experiment.h"

namespace tilestep::lab {

/// For matrix products with more multiplications than this, only an evenly spaced sample of the
/// rows is compared, and Check::reference states the sampling. All rows of 2048^3 are compared, and
/// one in five of 4096^3.
constexpr double kExactProducts = 17.2e9;

/// The same limit for convolutions.
constexpr double kExactConvolutions = 2e9;

struct Reference {
  std::string name;              ///< See checkOutputs().
  int64_t elementsPerBlock = 0;  ///< Used by "block_sums" and "block_scan".
};

/// Compares the outputs with float64 results computed from the seeded inputs alone.
///
/// `reference` is "matmul" (the first two input buffers and the first output: m x k, k x n, m x n),
/// "sum" (elementwise), "transpose", "block_sums" (output b is the sum of the elements of block b
/// of the first input, elementsPerBlock elements long), "block_scan" (the inclusive prefix sums of
/// each of these blocks), or "convolution" (lab/array_reference.h, of the first input buffer with
/// the next input, which may be a symbol). If it is empty, only `unwritten` is counted.
///
/// Tolerances: a product is right if max |out - ref| / sum |a||b| <= 2^-22 sqrt(k); a convolution
/// likewise, with the number of filter elements as k; a floating-point sum over a block or part of
/// a block if max |out - ref| / sum |a| <= 2^-22 sqrt(elementsPerBlock). All other outputs must be
/// equal in every element (integer sums of blocks wrap around in the element's type). NaN and
/// infinities are counted and always wrong; the error is then the greatest finite number.
///
/// Errors: operands without the shape or type that the reference needs (kind request); stopped by
/// `cancelled`, which is polled every few milliseconds. Uses all cores.
Result<Check> checkOutputs(const Reference& reference, const std::vector<device::Operand>& operands,
                           const std::vector<std::vector<std::byte>>& outputs, uint64_t seed,
                           uint64_t unwritten, const device::Cancelled& cancelled);

}  // namespace tilestep::lab
