// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace tilestep {

/// While it lives, this process can allocate only this many more bytes of memory. An
/// allocation beyond them fails: std::bad_alloc. Processes that it starts meanwhile inherit the
/// limit. One at a time. It does not protect against malicious code, which could lift it.
class DataLimit {
 public:
  explicit DataLimit(uint64_t moreBytes);
  ~DataLimit();
  DataLimit(const DataLimit&) = delete;
  DataLimit& operator=(const DataLimit&) = delete;

  /// False if the system does not report the memory in use, or sets no limit.
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  rlimit before_{};
  bool holds_ = false;
};

}  // namespace tilestep
