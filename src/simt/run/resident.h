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

/// Detects blocks that only wait for other blocks. The warps of such a block repeat loops that may
/// wait, and return to earlier registers and positions. A round need not end at the same position
/// of a warp's loop, so each state is compared with the state in the last round whose number was a
/// power of two.
struct Waiting {
  uint32_t rounds = 0;           ///< Consecutive rounds in which every ready warp ran such a loop.
  std::vector<uint64_t> seen;    ///< By warp: a hash of its state.
  std::vector<uint8_t> repeats;  ///< By warp: has returned to that state.
  bool moved = true;             ///< The block did more than wait since its latest turn began.

  static constexpr uint32_t kPatience = 8;  ///< Rounds before states are compared.
  /// The block counts as waiting after this many rounds, even if a loop counter changes its state.
  static constexpr uint32_t kMost = 512;
};

/// The state of a block, which a worker keeps while it runs another block.
struct Resident {
  enum class State : uint8_t { ready, waiting, done };
  /// Arrivals by bar.arrive since the barrier last completed.
  struct Arrivals {
    uint32_t threads = 0, wanted = 0;
    std::vector<uint32_t> lanes;  ///< By warp, if only some of its lanes arrived; may be empty.
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
  bool longTurns = false;  ///< For another order: warps have long turns.
  bool apart = false;      ///< For another order: lanes of a warp diverge.
  Dim3 block;
  BlockObserver* observer = nullptr;
  std::unique_ptr<BlockChecker> checker;
  Waiting waiting;
};

}  // namespace tilestep::simt
