// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "trace/replay.h"

namespace tilestep::model {

/// What one phase of one block does, counted from its trace.
struct PhaseFacts {
  uint32_t threads = 0;                   ///< Threads that access memory or a sum in this phase.
  uint64_t loads = 0;                     ///< Elements that lanes load from global memory.
  uint64_t stores = 0;                    ///< Elements that lanes write to global memory.
  std::optional<uint64_t> kFirst, kLast;  ///< Range of k of the loaded elements, where they have a
                                          ///< k.
  uint64_t terms = 0;                     ///< Terms that lanes add to sums.
  uint32_t slotReadersLeast = 0, slotReadersMost = 0;  ///< Least and most threads that read one
                                                       ///< shared slot.
};
[[nodiscard]] PhaseFacts factsOf(const trace::Replay& replay, const trace::Activity& activity);

}  // namespace tilestep::model
