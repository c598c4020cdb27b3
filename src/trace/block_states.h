// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/elements.h"
#include "trace/origins.h"
#include "trace/replay.h"

namespace tilestep::trace {

/// Applies events to a block's state.
class BlockMachine {
 public:
  BlockMachine(const BlockTrace& recording, const Elements& elements, const Origins& origins);

  [[nodiscard]] const BlockState& start() const { return start_; }
  void apply(const Replay::Piece& piece, BlockState& state) const;

 private:
  /// The latest atomic operation on an element of shared memory, until a store replaces its value.
  struct Update {
    uint32_t event = 0, epoch = 0;
    uint8_t width = 0;
  };
  using Updates = std::unordered_map<uint64_t, Update>;  ///< By place.
  void noteShared(uint32_t index, const TraceEvent& event, const Access& access, Updates& updates);

  const BlockTrace& recording_;
  const Elements& elements_;
  const Origins& origins_;
  BlockState start_;
  /// By event and place: the value that an atomic operation left in shared memory, as read by a
  /// load after the next barrier. There is no entry if no load reads it.
  std::map<std::pair<uint32_t, uint64_t>, uint64_t> left_;
};

/// The states after each of a sequence of pieces, with checkpoints at regular intervals. The
/// checkpoints use at most about 64 MiB.
class BlockStates {
 public:
  BlockStates(const BlockMachine& machine, const std::vector<Replay::Piece>& pieces);

  /// The state after the first `count` pieces.
  [[nodiscard]] BlockState after(size_t count) const;

 private:
  const BlockMachine& machine_;
  const std::vector<Replay::Piece>& pieces_;
  size_t interval_ = 1;
  std::vector<BlockState> checkpoints_;  ///< [i] is the state after i * interval_ pieces.
};

}  // namespace tilestep::trace
