// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/launch.h"

namespace tilestep::simt {

/// The most blocks that may be resident at once. Only resident blocks can wait for each other.
struct Residency {
  uint64_t blocks = 1;
  std::string where;  ///< Who sets the limit, such as "an NVIDIA H200".
};

/// The number of blocks that fit on the largest known GPU, according to threads, blocks and shared
/// memory. It is reduced if the interpreter's own memory, `hostBytes` per block, would exceed 2
/// GiB. Registers may reduce the number on a GPU, but are not considered.
[[nodiscard]] Residency residencyOf(const Launch& launch, uint32_t sharedBytes, uint64_t hostBytes);

/// "The grid has 4096 blocks, 1056 of this shape can be resident at once on …"
[[nodiscard]] std::string tooManyBlocks(const Launch& launch, const Residency& residency);

}  // namespace tilestep::simt
