// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "trace/counters.h"
#include "trace/replay.h"

namespace tilestep::trace {

/// Counts derived from the events of one block, defined as in Counters. The events do not show
/// `ffma`, `fadd`, `fmul`, instructions and branches, which stay 0 or absent. Instead,
/// `accumulates` counts thread-level updates of accumulators by any operation.
struct Tally {
  Counters counters;
  uint64_t accumulates = 0;
  uint64_t sharedReads = 0, sharedWrites = 0;  ///< Loads from and stores to shared memory by lanes.
  GlobalCounts copies;    ///< Asynchronous copies when they begin; not included in globalLoad.
  uint64_t arrivals = 0;  ///< Arriving copies of lanes; not included in sharedWrites.
  Tally& operator+=(const Tally& other);
  bool operator==(const Tally&) const = default;
};

/// The tally of pieces of events. Sectors and distinct bytes are computed from offsets alone, which
/// suffices because buffers are aligned to 512 bytes. A request that is split between steps counts
/// in each step, with its lanes in that step.
[[nodiscard]] Tally tallyOf(const BlockTrace& recording, const std::vector<Replay::Piece>& pieces);
[[nodiscard]] Tally tallyOf(const BlockTrace& recording);
[[nodiscard]] Tally tallyOf(const Replay& replay, StepGranularity grain, size_t index);

/// A tally for each phase that occurs, ascending, and one for events in no phase.
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
