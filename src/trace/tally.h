// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "trace/counters.h"
#include "trace/replay.h"

namespace tilestep::trace {

/// Counts derived from the events of one block, defined as in Counters. Events do not carry
/// everything that Counters holds: `ffma`, `fadd`, `fmul`, instructions and branches stay 0 or
/// absent here, and `accumulates` counts thread-level updates of accumulators by any operation
/// instead.
struct Tally {
  Counters counters;
  uint64_t accumulates = 0;
  uint64_t sharedReads = 0, sharedWrites = 0;  ///< Lane loads and stores of shared memory.
  GlobalCounts copies;    ///< Asynchronous copies when they begin; not among Counters' loads.
  uint64_t arrivals = 0;  ///< Lane accesses of arriving copies; not among sharedWrites.
  Tally& operator+=(const Tally& other);
  bool operator==(const Tally&) const = default;
};

/// The tally of pieces of events. Sectors and distinct bytes are computed from offsets alone, which
/// suffices because buffers are aligned to 512 bytes. A request that is split between steps counts
/// in each of them, with its lanes in that step.
[[nodiscard]] Tally tallyOf(const BlockTrace& recording, const std::vector<Replay::Piece>& pieces);
/// The tally of a whole recording.
[[nodiscard]] Tally tallyOf(const BlockTrace& recording);
/// The tally of one step.
[[nodiscard]] Tally tallyOf(const Replay& replay, StepGranularity grain, size_t index);

/// One tally for each phase that occurs, ascending, and one for events that belong to no phase.
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
