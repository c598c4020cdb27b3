// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "base/dim3.h"
#include "simt/check/block_checker.h"
#include "simt/machine.h"
#include "simt/run/device_copies.h"

namespace tilestep::simt {

class BlockObserver;

/// Whether a block only waits for others: its warps repeat loops that may wait, and return to
/// registers and positions that they had before. A warp's rounds need not end at the same position
/// of its loop, so each state is compared with that of the last round whose number was a power of
/// two.
struct Waiting {
  uint32_t rounds = 0;           ///< Rounds in which every running warp passed through such a loop.
  std::vector<uint64_t> seen;    ///< By warp: a hash of its state.
  std::vector<uint8_t> repeats;  ///< By warp: it returned to that state.
  bool moved = true;             ///< Since its latest turn began.

  static constexpr uint32_t kPatience = 8;  ///< Rounds before states are compared.
  static constexpr uint32_t kMost = 512;    ///< Counting loops never return to a state.
};

/// Everything that a worker keeps of a block while it runs another one.
struct Resident {
  enum class State : uint8_t { ready, waiting, done };
  /// Arrivals by bar.arrive since the barrier last completed.
  struct Arrivals {
    uint32_t threads = 0, wanted = 0;
    std::vector<uint32_t> lanes;  ///< By warp, if only some of its lanes arrived; empty for none.
  };
  static constexpr uint32_t kBarriers = 16;
  struct FreeAligned {
    void operator()(uint8_t* memory) const;
  };
  struct Free {
    void operator()(uint8_t* memory) const;
  };
  using Memory = std::unique_ptr<uint8_t, FreeAligned>;

  Memory registers, shared;
  std::unique_ptr<uint8_t, Free> local;  ///< Untouched pages of stacks use no memory.
  std::unique_ptr<Path[]> paths;
  std::vector<Warp> warp;
  std::vector<State> state;
  std::vector<uint32_t> turns;  ///< Order of the warps.
  std::array<Arrivals, kBarriers> arrivals;
  AsyncCopies copies;
  uint64_t random = 0;
  bool longTurns = false;  ///< In another order: its warps keep their turns.
  bool apart = false;      ///< In another order: lanes of a warp diverge.
  Dim3 block;
  BlockObserver* observer = nullptr;
  std::unique_ptr<BlockChecker> checker;
  Waiting waiting;
};

}  // namespace tilestep::simt
