// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// How far one thread's sum is. At an edge a tiled product adds products with zeros that stand for
/// elements past the end: they are none of its terms.
struct SumTerms {
  uint32_t now = 0, of = 0;
  /// It ends in no element of the output: all that it adds are such zeros.
  bool idle = false;
};

/// Counts the terms of one block's sums.
class TermCounter {
 public:
  explicit TermCounter(const TracedKernel& side);
  /// `now`: an accumulator of a step of the side. `of` is 0 where the trace was cut.
  [[nodiscard]] SumTerms termsOf(const trace::Accumulator& now) const;
  /// So many products of a sum are so many terms, and no more than it has.
  [[nodiscard]] uint32_t atMost(uint64_t products) const;

 private:
  const TracedKernel& side_;
  uint64_t length_ = 0;  ///< Terms that an element of the product has; 0: unknown.
  /// True where it is known which stores write the sum, and its thread comes to none of them.
  [[nodiscard]] bool isNeverStored(const trace::Accumulator& sum) const;
};

/// "4 of 5 terms"; "no element: it adds zeros alone".
[[nodiscard]] std::string termsText(const SumTerms& terms);

}  // namespace tilestep::model
