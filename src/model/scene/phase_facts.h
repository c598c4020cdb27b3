// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "trace/replay.h"

namespace tilestep::model {

/// The work of one block in one phase, counted from its trace.
struct PhaseFacts {
  uint32_t threads = 0;  ///< Threads that access memory or a sum in this phase.
  uint64_t loads = 0;    ///< Elements that lanes load from global memory.
  uint64_t stores = 0;   ///< Elements that lanes write to global memory.
  /// The range of k of the loaded elements, if they have an index k.
  std::optional<uint64_t> kFirst, kLast;
  uint64_t terms = 0;  ///< Terms that lanes add to sums.
  /// The smallest and the largest number of threads that read one shared slot.
  uint32_t slotReadersLeast = 0, slotReadersMost = 0;
};
[[nodiscard]] PhaseFacts factsOf(const trace::Replay& replay, const trace::Activity& activity);

}  // namespace tilestep::model
