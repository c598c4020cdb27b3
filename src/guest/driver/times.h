// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "guest/driver/driver.h"
#include "guest/link.h"

namespace tilestep::guest {

/// Measures the GPU's time for pieces of work, with events before and after each piece in its
/// stream. Does nothing unless requested.
class Times {
 public:
  Times(const Driver& driver, Link& link, bool wanted);
  /// Call before and after a piece of work. begin() returns its number, 0 if it is not timed.
  uint64_t begin(void* stream);
  void end(uint64_t work, void* stream);
  /// Reports the times of all pieces that have ended.
  void collect();

 private:
  struct Piece {
    uint64_t work = 0;
    void *start = nullptr, *stop = nullptr;
    bool isWhole = false;  ///< Whether `stop` was recorded.
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
