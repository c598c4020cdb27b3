// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "simt/run/residency.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// The host memory of a launch besides its operands and its trace, in bytes.
struct MemoryNeed {
  uint64_t checkers = 0;  ///< With the request's `check`: marks of accesses to global memory.
  /// Private memory of all blocks that are resident at once, module variables, the heap.
  uint64_t blocks = 0;
};

/// Computes it for a request whose buffers need no memory yet. All zero for a launch that would be
/// rejected.
[[nodiscard]] MemoryNeed memoryNeed(const GridRequest& request);

/// The threads that the launch runs on.
[[nodiscard]] unsigned threadsFor(const GridRequest& request);
/// The number of its blocks that can be resident at once.
[[nodiscard]] Residency residencyFor(const GridRequest& request, const Setup& setup);
/// The number of blocks that make room for each other at a time (Setup::interleaves): a few show
/// every order of two accesses, and each thread has one to run.
[[nodiscard]] uint64_t mostInterleaved(const GridRequest& request);
/// The number of its blocks that the interpreter keeps active at once, if some are suspended.
[[nodiscard]] uint64_t mostUnderWay(const GridRequest& request, const Setup& setup);

}  // namespace tilestep::simt
