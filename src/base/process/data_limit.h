// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include <cstdint>

namespace tilestep {

/// While it lives, this process gets only so many bytes of memory beyond those that it has. An
/// allocation beyond them fails: std::bad_alloc. Processes that it starts meanwhile inherit the
/// limit. One at a time. No guard against code that means harm: such code could lift it.
class DataLimit {
 public:
  explicit DataLimit(uint64_t moreBytes);
  ~DataLimit();
  DataLimit(const DataLimit&) = delete;
  DataLimit& operator=(const DataLimit&) = delete;

  /// False where the system does not tell what the process has, or sets no limit.
  [[nodiscard]] bool holds() const { return holds_; }

 private:
  rlimit before_{};
  bool holds_ = false;
};

}  // namespace tilestep
