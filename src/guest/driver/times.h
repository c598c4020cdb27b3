// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/link.h"

namespace tilestep::guest {

/// How long the GPU takes for pieces of work, by events before and after each in its stream. Where
/// they are not asked for, nothing is done.
class Times {
 public:
  Times(const Driver& driver, Link& link, bool wanted);
  /// Before and after a piece of work. begin() returns its number, 0 where it is not timed.
  uint64_t begin(void* stream);
  void end(uint64_t work, void* stream);
  /// Tells of all that is over.
  void collect();

 private:
  struct Piece {
    uint64_t work = 0;
    void *start = nullptr, *stop = nullptr;
    bool isWhole = false;  ///< Its end was recorded.
  };
  void* event();

  const Driver& driver_;
  Link& link_;
  const bool wanted_;
  std::mutex mutex_;
  uint64_t last_ = 0;
  std::deque<Piece> pieces_;
  std::vector<void*> unused_;
};

}  // namespace tilestep::guest
