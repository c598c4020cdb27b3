// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep::device {

/// What a job takes of this process's memory at most while it runs, in bytes, by what it is for.
struct HostMemory {
  uint64_t operands = 0;     ///< And outputs that come back.
  uint64_t checkers = 0;     ///< Marks of what was written and accessed.
  uint64_t interpreter = 0;  ///< Registers, shared and local memory of the blocks that it runs.
  uint64_t trace = 0;        ///< With the copies that an answer takes.
  [[nodiscard]] uint64_t total() const { return operands + checkers + interpreter + trace; }
};

/// What a trace takes for each byte of its cap: it grows by doubling, and is copied into an answer.
constexpr uint64_t kTraceCopies = 4;

}  // namespace tilestep::device
