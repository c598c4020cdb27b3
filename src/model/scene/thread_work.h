// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// The work of one thread in one step at phase granularity, derived from the trace alone.
struct ThreadWork {
  /// An element that the thread reads for a computation, from a shared array or directly from
  /// global memory.
  struct Use {
    trace::Access access;
    bool shared = false;
    std::optional<trace::Place> element;  ///< The operand's element from which the value came.
  };
  /// A term added to a sum. Factors are indices into `uses`, in the order of the arrays. They are
  /// empty if the trace does not identify them with certainty.
  struct Term {
    trace::Access sum;  ///< `bits` is the sum after the addition.
    std::vector<size_t> factors;
  };
  std::vector<trace::GlobalLoad> loads;
  std::vector<Use> uses;
  std::vector<Term> terms;
  std::vector<trace::Access> stores;  ///< To global memory.
};

/// The work of all threads, indexed by thread number. Factors are taken from BlockTrace::feeds and
/// checked against the values: the product plus the old sum must equal the new sum.
[[nodiscard]] std::vector<ThreadWork> workOf(const TracedKernel& side, size_t phaseStep);

/// The same, but computed on demand and cached. If a block's trace is short, all threads are
/// computed together; otherwise only the requested thread. Results never change, but only one host
/// thread may call.
class BlockWork {
 public:
  explicit BlockWork(std::shared_ptr<const TracedKernel> side) : side_(std::move(side)) {}
  [[nodiscard]] const std::shared_ptr<const TracedKernel>& side() const { return side_; }
  /// Indexed by step at phase granularity; `thread` must be less than the threads per block.
  [[nodiscard]] std::vector<ThreadWork> of(uint32_t thread) const;
  /// For every thread: indexed by step at phase granularity, then by thread number.
  [[nodiscard]] const std::vector<std::vector<ThreadWork>>& all() const;

 private:
  std::shared_ptr<const TracedKernel> side_;
  mutable std::vector<std::vector<ThreadWork>> phases_;  ///< Empty until all() was called.
};

/// One array's elements in a few characters: name and ranges of indices.
struct Touched {
  int16_t buffer = -1;
  std::string text;  ///< "Mds[0][0…3]"
};
/// Groups elements by operand, in the order of the operands.
[[nodiscard]] std::vector<Touched> elementsText(const TracedKernel& side,
                                                const std::vector<trace::Place>& places);
/// "Mds[0][0]·Nds[0][0]", "+ Mds[0][1]·Nds[1][0]" for few terms; "Mds[0][0…3]·Nds[0…3][0]", "4
/// terms" for more; empty without a sum.
[[nodiscard]] std::vector<std::string> gainText(const TracedKernel& side, const ThreadWork& work);

}  // namespace tilestep::model
