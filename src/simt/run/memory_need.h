// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "simt/run/residency.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// The host memory of a launch besides its operands and its trace, in bytes.
struct MemoryNeed {
  uint64_t checkers = 0;  ///< With the request's `check`: marks of accesses to global memory.
  /// Private memory of all blocks resident at once, module variables, the heap.
  uint64_t blocks = 0;
};

/// Counts it for a request whose buffers need no memory yet. All zero for a launch that would be
/// refused.
[[nodiscard]] MemoryNeed memoryNeed(const GridRequest& request);

/// The threads that the launch runs on.
[[nodiscard]] unsigned threadsFor(const GridRequest& request);
/// How many of its blocks can be resident at once.
[[nodiscard]] Residency residencyFor(const GridRequest& request, const Setup& setup);
/// How many blocks make room for each other at a time (Setup::interleaves): a few show every order
/// of two accesses, and each thread has one to run.
[[nodiscard]] uint64_t mostInterleaved(const GridRequest& request);
/// How many of its blocks the interpreter keeps under way at once, where some are put aside.
[[nodiscard]] uint64_t mostUnderWay(const GridRequest& request, const Setup& setup);

}  // namespace tilestep::simt
