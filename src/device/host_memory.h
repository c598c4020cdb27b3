// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tilestep::device {

/// The most memory of this process that a job uses while it runs, in bytes, by purpose.
struct HostMemory {
  uint64_t operands = 0;     ///< Including returned outputs.
  uint64_t checkers = 0;     ///< Marks of written and accessed memory.
  uint64_t interpreter = 0;  ///< Registers, shared and local memory of the running blocks.
  uint64_t trace = 0;        ///< Including the copies for an answer.
  [[nodiscard]] uint64_t total() const { return operands + checkers + interpreter + trace; }
};

/// Memory per byte of a trace's cap: a trace grows by doubling, and is copied into an answer.
constexpr uint64_t kTraceCopies = 4;

}  // namespace tilestep::device
