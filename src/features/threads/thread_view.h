// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "features/names.h"
#include "model/scene/thread_work.h"
#include "model/scene/traced_kernel.h"

namespace tilestep::features {

/// One thread at one step: its inputs and outputs, what it does in this phase, and its position.
/// Derived only from the trace. Immutable.
struct ThreadView {
  uint32_t number = 0, warp = 0, lane = 0;
  Dim3 at{0, 0, 0};
  std::string name;   ///< "(1, 0)"
  std::string makes;  ///< "P[0][1]"; empty if the thread stores nothing.
  /// The inputs of its sums, or its loads, over all phases: "row 0 of M, column 1 of N".
  std::string reads;
  std::string phase;                      ///< "phase 1"; empty outside of phases.
  std::vector<std::string> loads, gains;  ///< In this phase: "M[0][4] → Mds[0][0]".
  std::string sumName;                    ///< "Pvalue"
  /// The exact sum after the step: "Pvalue = 0.25, 4 of 8 terms".
  std::string sum;
  uint32_t line = 0;  ///< The line of its latest event; 0 before the first.
  /// The present event ("line 80: loads M[0][4]") and the next event.
  std::string doing, next;

  std::vector<Area> needs;          ///< `reads` as areas, by operand.
  std::vector<Area> output;         ///< `makes` as areas.
  std::vector<trace::Place> slots;  ///< Shared slots that it reads in this phase.
  std::vector<trace::Place> fills;  ///< Shared slots that it writes in this phase.
};

/// The parts of a thread's view that are the same at every step.
class ThreadStory {
 public:
  /// `thread` must be less than the number of threads per block.
  ThreadStory(const BlockWork& work, uint32_t thread);

  [[nodiscard]] const std::shared_ptr<const TracedKernel>& side() const { return side_; }
  [[nodiscard]] uint32_t thread() const { return thread_; }
  /// Events in which the thread takes part, ascending.
  [[nodiscard]] const std::vector<uint32_t>& events() const { return events_; }
  /// `step` must be a step of `side`.
  [[nodiscard]] std::shared_ptr<const ThreadView> viewAt(const TracedStep& step) const;
  /// The first element of global memory that the thread stores; absent if it stores none.
  [[nodiscard]] std::optional<trace::Place> output() const;

 private:
  void addSum(ThreadView& view, const TracedStep& step) const;
  void addPhase(ThreadView& view, const TracedStep& step) const;
  void addMoment(ThreadView& view, const TracedStep& step) const;
  /// What follows the thread's last event: the fault by which it stops the launch, "nothing" if
  /// another thread's fault stopped the launch, or "done".
  [[nodiscard]] std::string stopText() const;

  std::shared_ptr<const TracedKernel> side_;
  uint32_t thread_;
  std::vector<uint32_t> events_;
  std::vector<ThreadWork> phases_;  ///< This thread's work, by step at phase granularity.
  ThreadView constant_;
};

/// A thread's part in an event: "loads M[0][4]", "reads Mds[0][1]", "waits at the barrier".
[[nodiscard]] std::string doingText(const TracedKernel& side, uint32_t event, uint32_t thread);

}  // namespace tilestep::features
