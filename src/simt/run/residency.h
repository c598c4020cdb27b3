// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/launch.h"

namespace tilestep::simt {

/// How many blocks of a launch may be resident at once. Only resident blocks can wait for each
/// other.
struct Residency {
  uint64_t blocks = 1;
  std::string where;  ///< "an NVIDIA H200", or whatever else sets the bound.
};

/// The blocks that the largest known GPU holds, by threads, blocks and shared memory; fewer if the
/// interpreter's own memory, `hostBytes` per block, would exceed 2 GiB. Registers, which may allow
/// fewer, are unknown here.
[[nodiscard]] Residency residencyOf(const Launch& launch, uint32_t sharedBytes, uint64_t hostBytes);

/// "The grid has 4096 blocks, 1056 of this shape can be resident at once on …"
[[nodiscard]] std::string tooManyBlocks(const Launch& launch, const Residency& residency);

}  // namespace tilestep::simt
