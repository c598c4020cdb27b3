// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "metrics/occupancy.h"

/// Occupancy as a function of one of a block's needs, and what prevents the next block, in words.
/// Pure.
namespace tilestep::metrics {

struct CurvePoint {
  uint64_t x = 0;      ///< Threads, registers a thread, or bytes of shared memory a block.
  uint32_t warps = 0;  ///< Resident; 0 where such a block cannot run.
  bool operator==(const CurvePoint&) const = default;
};

/// Step functions: a point holds from its x to the next point's. Equal neighbours are left out,
/// except for the last point, which is at the device's limit.
[[nodiscard]] std::vector<CurvePoint> overThreads(const Multiprocessor& device, BlockNeeds block);
[[nodiscard]] std::vector<CurvePoint> overRegisters(const Multiprocessor& device, BlockNeeds block);
[[nodiscard]] std::vector<CurvePoint> overSharedBytes(const Multiprocessor& device,
                                                      BlockNeeds block);

/// One sentence for each resource that lets no further block in: "threads: a block takes 10 warps,
/// and 4 of 64 are left". The refusal where the block cannot run; empty where nothing is known.
[[nodiscard]] std::string whyNotMore(const Multiprocessor& device, const BlockNeeds& block,
                                     const Occupancy& occupancy);

/// Why the textbook's limit by this resource differs from the device's. Empty where they agree.
[[nodiscard]] std::string whyNotTextbook(const Multiprocessor& device, const BlockNeeds& block,
                                         const ResourceLimit& limit);

}  // namespace tilestep::metrics
