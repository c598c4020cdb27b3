// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "program/order.h"
#include "program/record.h"

namespace tilestep::program {

/// Bytes of the device's memory: [begin, end).
struct ByteRange {
  uint64_t begin = 0, end = 0;
};

/// What one piece of work does with memory.
struct Work {
  Ticket ticket;
  std::string what;  ///< "the launch of add", "cudaMemcpy".
  Place place;
  uint64_t where = 0;                    ///< The call.
  size_t firstOpen = 0;                  ///< Work before this number is over when this is issued.
  std::vector<ByteRange> reads, writes;  ///< Ascending, and apart from each other.
};

/// Two pieces of work that use the same bytes in no order, at least one of which writes.
struct Unordered {
  size_t first = 0, second = 0;  ///< As they were issued.
  uint64_t address = 0;          ///< Of the first byte that both use.
  bool firstWrites = false, secondWrites = false;
};

/// All work of a program, as it was issued.
class WorkLog {
 public:
  /// Its number. Ranges may be filled in later.
  size_t add(Work work, const Order& order);
  [[nodiscard]] Work& at(size_t number) { return all_[number]; }
  /// Each pair of calls once.
  [[nodiscard]] std::vector<Unordered> unordered() const;

 private:
  std::vector<Work> all_;
  size_t firstOpen_ = 0;
};

}  // namespace tilestep::program
