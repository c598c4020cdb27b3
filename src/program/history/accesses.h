// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program/history/work.h"
#include "program/order.h"

namespace tilestep::program {

/// Two pieces of work that use the same bytes without an order. At least one of them writes.
struct Unordered {
  size_t first = 0, second = 0;  ///< In the order of issue.
  uint64_t address = 0;          ///< The first byte that both use.
  bool firstWrites = false, secondWrites = false;
};

/// Reports each pair of calls once. `works` must be in the order of issue.
[[nodiscard]] std::vector<Unordered> unorderedIn(const std::vector<Work>& works);

/// All work of a program, in the order of issue.
class WorkLog {
 public:
  /// Returns the work's index. The work's accesses may be set later.
  size_t add(Work work, const Order& order);
  [[nodiscard]] Work& at(size_t number) { return all_[number]; }
  /// Adds the ranges that a launch used, up to a limit for all launches together.
  void setUses(size_t number, Uses uses);
  [[nodiscard]] std::vector<Work> take() { return std::move(all_); }

 private:
  std::vector<Work> all_;
  size_t firstOpen_ = 0;
  size_t ranges_ = 0;  ///< Ranges of all launches together.
};

}  // namespace tilestep::program
