// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "trace/counters.h"
#include "trace/replay.h"

namespace tilestep::trace {

/// What the events of one block show. Definitions as in Counters. Not all of Counters can be told
/// from events: `ffma`, `fadd`, `fmul`, instructions and branches stay 0 or absent here, and
/// `accumulates` counts thread-level updates of accumulators instead, of whatever operation.
struct Tally {
  Counters counters;
  uint64_t accumulates = 0;
  uint64_t sharedReads = 0, sharedWrites = 0;  ///< Lane loads and stores of shared memory.
  GlobalCounts copies;    ///< Asynchronous copies where they begin; none of Counters' loads.
  uint64_t arrivals = 0;  ///< Lane accesses in which they arrive; none of sharedWrites.
  Tally& operator+=(const Tally& other);
  bool operator==(const Tally&) const = default;
};

/// Of pieces of events. Sectors and distinct bytes come from offsets, as buffers are aligned to 512
/// bytes. A request split between steps counts in each, with the lanes it has there.
[[nodiscard]] Tally tallyOf(const Recording& recording, const std::vector<Replay::Piece>& pieces);
/// Of a whole recording.
[[nodiscard]] Tally tallyOf(const Recording& recording);
/// Of one step.
[[nodiscard]] Tally tallyOf(const Replay& replay, StepGranularity grain, size_t index);

/// One tally for each phase that occurs, ascending, and what lies in no phase.
struct PhaseTallies {
  struct OfPhase {
    uint32_t phase = 0;
    Tally tally;
  };
  std::vector<OfPhase> phases;
  Tally outside;
};
[[nodiscard]] PhaseTallies tallyByPhase(const Replay& replay);

}  // namespace tilestep::trace
