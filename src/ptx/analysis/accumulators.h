// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "ptx/ir.h"

namespace tilestep::ptx {

/// A global store of accumulators' values.
struct AccumulatorStore {
  uint32_t instruction = 0;
  std::vector<uint32_t> elements;  ///< By value of the store: the accumulator, or kNone.
};

/// The running values of a function: Pvalue of a product, the sum of a loop.
struct Accumulators {
  uint32_t count = 0;               ///< Numbered by their first update in the text.
  std::vector<uint32_t> updatedBy;  ///< By instruction: the accumulator it adds to, or kNone;
                                    ///< its first operand then holds the new value.
  /// For instructions with a vector of results (mma), which updatedBy leaves out: the accumulator
  /// of each element, or kNone.
  std::map<uint32_t, std::vector<uint32_t>> vectors;
  std::vector<AccumulatorStore> stores;  ///< st.global that write one or more, in text order.

  /// (accumulator, instruction) of the same stores. Sorted, each pair once.
  [[nodiscard]] std::vector<std::pair<uint32_t, uint32_t>> storePairs() const;
};

/// Static analysis of one function; it needs no run and takes near linear time.
///
/// A running value is what additions feed around a loop (fma and mad through their third source,
/// add through either, sub through its first, mma element by element, copies by mov and selp), or a
/// chain of two or more fma in straight code, the first of which may add to a constant; every copy
/// of it and what is added to it later belongs to it. It counts as an accumulator when it leaves
/// the thread: by a global store or atomic, directly or scaled, biased or converted on the way, or
/// for floating values by a shared store, where a block goes on summing. So addresses and loop
/// counters do not count, nor does a plain c = a + b.
[[nodiscard]] Accumulators findAccumulators(const Function& function);

}  // namespace tilestep::ptx
