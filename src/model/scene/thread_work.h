// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/scene/traced_kernel.h"

namespace tilestep::model {

/// What one thread does in one step of the phase grain, from the trace alone.
struct ThreadWork {
  /// An element that the thread reads in order to use it: of a shared array, or straight from
  /// global memory.
  struct Use {
    trace::Access access;
    bool shared = false;
    std::optional<trace::Place> element;  ///< Of the operand that the value came from.
  };
  /// What a sum took up. Factors are indices into `uses`, in the order of the arrays; empty where
  /// the trace does not tell them for certain.
  struct Term {
    trace::Access sum;  ///< `bits`: the sum after it.
    std::vector<size_t> factors;
  };
  std::vector<trace::GlobalLoad> loads;
  std::vector<Use> uses;
  std::vector<Term> terms;
  std::vector<trace::Access> stores;  ///< To global memory.
};

/// By thread number. Factors are told from Recording::feeds and proved by the values: product and
/// sum before must give the sum after.
[[nodiscard]] std::vector<ThreadWork> workOf(const TracedKernel& side, size_t phaseStep);

/// The same, for going from thread to thread: a block whose trace is short is worked out once for
/// all of its threads, of a longer one only the thread that is asked for. What it says never
/// changes; it is worked out when it is first asked for, so one thread of the host may ask.
class BlockWork {
 public:
  explicit BlockWork(std::shared_ptr<const TracedKernel> side) : side_(std::move(side)) {}
  [[nodiscard]] const std::shared_ptr<const TracedKernel>& side() const { return side_; }
  /// By step of the phase grain; `thread` < threads of the block.
  [[nodiscard]] std::vector<ThreadWork> of(uint32_t thread) const;
  /// Of every thread, by step of the phase grain, then by thread number.
  [[nodiscard]] const std::vector<std::vector<ThreadWork>>& all() const;

 private:
  std::shared_ptr<const TracedKernel> side_;
  mutable std::vector<std::vector<ThreadWork>> phases_;  ///< Empty until all were asked for.
};

/// One array's elements in a few characters: name and ranges of indices.
struct Touched {
  int16_t buffer = -1;
  std::string text;  ///< "Mds[0][0…3]"
};
/// Elements of operands, gathered by operand, in their order.
[[nodiscard]] std::vector<Touched> elementsText(const TracedKernel& side,
                                                const std::vector<trace::Place>& places);
/// "Mds[0][0]·Nds[0][0]", "+ Mds[0][1]·Nds[1][0]" while few; more: "Mds[0][0…3]·Nds[0…3][0]", "4
/// terms"; empty without a sum.
[[nodiscard]] std::vector<std::string> gainText(const TracedKernel& side, const ThreadWork& work);

}  // namespace tilestep::model
