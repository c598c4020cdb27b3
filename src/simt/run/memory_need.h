// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "simt/run/residency.h"
#include "simt/setup.h"

namespace tilestep::simt {

/// The host memory of a launch in bytes, without its operands and its trace.
struct MemoryNeed {
  uint64_t checkers = 0;  ///< If the launch is checked: marks of accesses to global memory.
  /// Memory of all blocks that are resident at once, module variables and the device heap.
  uint64_t blocks = 0;
};

/// The memory of a request. Buffers may be unallocated. All zero if the launch would be rejected.
[[nodiscard]] MemoryNeed memoryNeed(const GridRequest& request);

/// The number of host threads on which the launch runs.
[[nodiscard]] unsigned threadsFor(const GridRequest& request);
/// How many of the launch's blocks can be resident at once.
[[nodiscard]] Residency residencyFor(const GridRequest& request, const Setup& setup);
/// The number of blocks that are interleaved at a time (Setup::interleaves). A few suffice to
/// expose every order of two accesses, and there are enough for every host thread.
[[nodiscard]] uint64_t mostInterleaved(const GridRequest& request);
/// The most blocks that the interpreter keeps resident at once, if blocks may be suspended; else 0.
[[nodiscard]] uint64_t mostUnderWay(const GridRequest& request, const Setup& setup);

}  // namespace tilestep::simt
