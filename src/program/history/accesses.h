// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "program/history/work.h"
#include "program/order.h"

namespace tilestep::program {

/// Two pieces of work that use the same bytes without an order, at least one of which writes.
struct Unordered {
  size_t first = 0, second = 0;  ///< In the order of issue.
  uint64_t address = 0;          ///< The place of the first byte that both use.
  bool firstWrites = false, secondWrites = false;
};

/// Each pair of calls once. `works`: in the order of issue.
[[nodiscard]] std::vector<Unordered> unorderedIn(const std::vector<Work>& works);

/// All work of a program, in the order of issue.
class WorkLog {
 public:
  /// Returns its number. Its accesses may be filled in later.
  size_t add(Work work, const Order& order);
  [[nodiscard]] Work& at(size_t number) { return all_[number]; }
  /// Adds the ranges that a launch used. Once there are very many, no more are kept.
  void setUses(size_t number, Uses uses);
  [[nodiscard]] std::vector<Work> take() { return std::move(all_); }

 private:
  std::vector<Work> all_;
  size_t firstOpen_ = 0;
  size_t ranges_ = 0;  ///< Of all launches.
};

}  // namespace tilestep::program
