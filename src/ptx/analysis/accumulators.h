// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A global store that writes the values of accumulators.
struct AccumulatorStore {
  uint32_t instruction = 0;
  std::vector<uint32_t> elements;  ///< For each stored value, its accumulator or kNone.
};

/// The running values of a function, such as Pvalue in a matrix product, or a sum in a loop.
struct Accumulators {
  uint32_t count = 0;  ///< Accumulators are numbered in the order of their first updates.
  /// For each instruction, the accumulator that it adds to, which is its first operand, or kNone.
  std::vector<uint32_t> updatedBy;
  /// For instructions with a vector of results (mma), which `updatedBy` omits: for each element,
  /// its accumulator or kNone.
  std::map<uint32_t, std::vector<uint32_t>> vectors;
  std::vector<AccumulatorStore> stores;  ///< In program order.

  /// The (accumulator, instruction) pairs of `stores`, sorted and without duplicates.
  [[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> storePairs() const;
};

/// Finds a function's accumulators by static analysis, in nearly linear time.
///
/// A running value is computed by additions around a loop, or by a chain of two or more fma in
/// straight-line code, the first of which may add to a constant. The value passes through the third
/// source of fma and mad, either source of add, the first source of sub, the elements of mma, and
/// the copies mov and selp. Copies of the value and later additions to it are part of the running
/// value. A running value counts as an accumulator if it leaves the thread through a global store
/// or atomic operation, either directly or after scaling, adding a bias or a conversion. A
/// floating-point value also counts if it is stored to shared memory, for a sum over the block.
/// Addresses, loop counters and a plain c = a + b therefore do not count.
[[nodiscard]] Accumulators findAccumulators(const Function& function);

}  // namespace tilestep::ptx
