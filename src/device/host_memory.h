// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep::device {

/// The most memory of this process that a job uses while it runs, in bytes, by purpose.
struct HostMemory {
  uint64_t operands = 0;     ///< Including returned outputs.
  uint64_t checkers = 0;     ///< Marks of written and accessed memory.
  uint64_t interpreter = 0;  ///< Registers, shared and local memory of the running blocks.
  uint64_t trace = 0;        ///< Includes the copies for a result.
  [[nodiscard]] uint64_t total() const { return operands + checkers + interpreter + trace; }
};

/// Bytes of memory per byte of a trace's limit: a trace grows by doubling, and is copied into a
/// result.
constexpr uint64_t kTraceCopies = 4;

}  // namespace tilestep::device
