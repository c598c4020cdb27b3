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
  std::vector<uint32_t> elements;  ///< By stored value: the accumulator, or kNone.
};

/// The running values of a function: Pvalue of a product, the sum of a loop.
struct Accumulators {
  uint32_t count = 0;               ///< Numbered by their first update in the text.
  std::vector<uint32_t> updatedBy;  ///< By instruction: the accumulator it adds to, or kNone; its
                                    ///< first operand then holds the new value.
  /// For instructions with a vector of results (mma), which updatedBy leaves out: the accumulator
  /// of each element, or kNone.
  std::map<uint32_t, std::vector<uint32_t>> vectors;
  std::vector<AccumulatorStore> stores;  ///< st.global that write one or more, in text order.

  /// (accumulator, instruction) of the same stores. Sorted, each pair once.
  [[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> storePairs() const;
};

/// Static analysis of one function, in near linear time and without running it.
///
/// A running value is computed by additions around a loop (fma and mad through their third source,
/// add through either, sub through its first, mma element by element, copies by mov and selp), or
/// by a chain of two or more fma in straight code, the first of which may add to a constant. All
/// copies of it and later additions to it belong to it. It counts as an accumulator if it leaves
/// the thread by a global store or atomic, directly or after scaling, adding a bias or converting.
/// A floating-point value also counts if a shared store passes it on to a sum over the block.
/// Addresses, loop counters and a plain c = a + b therefore do not count.
[[nodiscard]] Accumulators findAccumulators(const Function& function);

}  // namespace tilestep::ptx
