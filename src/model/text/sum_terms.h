// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The progress of one thread's sum. At an edge, a tiled product multiplies zeros in place of
/// elements past the end; these products do not count as terms.
struct SumTerms {
  uint32_t now = 0, of = 0;
  /// The sum is not stored to any output element, because all its products are with such zeros.
  bool idle = false;
};

class TermCounter {
 public:
  explicit TermCounter(const TracedKernel& side);
  /// `now` is an accumulator of a step of the side. The result's `of` is 0 if the trace was
  /// truncated.
  [[nodiscard]] SumTerms termsOf(const trace::Accumulator& now) const;
  /// Whether the thread's sum never becomes an element of the output, and nothing but zeros is
  /// added to it. False if that is unknown.
  [[nodiscard]] bool isIdle(uint32_t thread, int16_t index) const;
  /// The number of terms after `products` products, at most the sum's total number of terms.
  [[nodiscard]] uint32_t atMost(uint64_t products) const;

 private:
  const TracedKernel& side_;
  uint64_t length_ = 0;  ///< Terms per output element of the product; 0 if unknown.
  /// True if all stores of the sum are known and none of them is by the thread.
  [[nodiscard]] bool isNeverStored(uint32_t thread, int16_t index) const;
};

/// "4 of 5 terms"; "no element".
[[nodiscard]] std::string termsText(const SumTerms& terms);

}  // namespace tilestep::model
