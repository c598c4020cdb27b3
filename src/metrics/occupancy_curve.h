// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "metrics/occupancy.h"

/// Occupancy as a function of one of a block's needs, and explanations of its limits. Pure.
namespace tilestep::metrics {

struct CurvePoint {
  uint64_t x = 0;      ///< Threads, registers per thread, or bytes of shared memory per block.
  uint32_t warps = 0;  ///< Resident warps; 0 if such a block cannot run.
  bool operator==(const CurvePoint&) const = default;
};

/// Step functions: a point's value is valid from its x to the next point's x. Points with the value
/// of their predecessor are omitted, except for the last point, which is at the device's limit.
[[nodiscard]] std::vector<CurvePoint> overThreads(const Multiprocessor& device, BlockNeeds block);
[[nodiscard]] std::vector<CurvePoint> overRegisters(const Multiprocessor& device, BlockNeeds block);
[[nodiscard]] std::vector<CurvePoint> overSharedBytes(const Multiprocessor& device,
                                                      BlockNeeds block);

/// A clause for each resource that prevents another block, such as "threads: a block takes 10
/// warps, and 4 of 64 are left". If the block cannot run, the reason. Empty if nothing is known.
[[nodiscard]] std::string whyNotMore(const Multiprocessor& device, const BlockNeeds& block,
                                     const Occupancy& occupancy);

/// Why the textbook's limit for this resource differs from the device's limit. Empty if they agree.
[[nodiscard]] std::string whyNotTextbook(const Multiprocessor& device, const BlockNeeds& block,
                                         const ResourceLimit& limit);

}  // namespace tilestep::metrics
