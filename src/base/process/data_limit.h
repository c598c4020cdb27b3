// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep {

/// While this object exists, the process can allocate at most this many more bytes; further
/// allocations throw std::bad_alloc. Processes started meanwhile inherit the limit. Only one
/// DataLimit may exist at a time. Malicious code could lift the limit.
class DataLimit {
 public:
  explicit DataLimit(uint64_t moreBytes);
  ~DataLimit();
  DataLimit(const DataLimit&) = delete;
  DataLimit& operator=(const DataLimit&) = delete;

  /// False if the limit could not be set.
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  uint64_t before_ = 0;  ///< The earlier limit, in bytes.
  bool holds_ = false;
};

}  // namespace tilestep
