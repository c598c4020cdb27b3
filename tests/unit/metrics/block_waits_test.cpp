// SPDX-License-Identifier: Apache-2.0
#include "metrics/block_waits.h"

#include <gtest/gtest.h>

#include <vector>

namespace tilestep::metrics::block_waits_test {

using trace::Operation;
using trace::Space;

/// Appends events of single lanes, and counts each warp's events.
class Block {
 public:
  Block() { recording_.blockShape = {64, 1, 1}; }
  Block& in(uint32_t epoch, uint32_t warp) {
    epoch_ = epoch;
    warp_ = warp;
    return *this;
  }
  Block& global(Operation operation, uint32_t element, int16_t buffer = 0) {
    return add(operation, Space::global, buffer, element * 4);
  }
  Block& shared(Operation operation) { return add(operation, Space::shared, 0, 0); }
  Block& barrier() { return add(Operation::barrier, Space::none, -1, 0); }
  Block& accumulate() { return add(Operation::accumulate, Space::none, 0, 0); }
  [[nodiscard]] BlockWaits waits() {
    recording_.finish();
    return blockWaitsOf(recording_);
  }
  [[nodiscard]] double shareBeyond() {
    recording_.finish();
    return shareBeyondL1(recording_);
  }

 private:
  Block& add(Operation operation, Space space, int16_t buffer, uint32_t offset) {
    const bool moves = operation != Operation::barrier;
    const std::vector<uint32_t> offsets(moves ? 1 : 0, offset);
    const std::vector<std::byte> values(moves ? 4 : 0);
    trace::TraceEvent event;
    event.epoch = epoch_;
    event.warp = warp_;
    event.sequence = sequence_++;
    event.operation = operation;
    event.space = space;
    event.width = moves ? 4 : 0;
    event.buffer = buffer;
    event.mask = 1;
    event.offsets = offsets;
    event.values = values;
    EXPECT_TRUE(recording_.append(event));
    return *this;
  }

  trace::BlockTrace recording_;
  uint32_t epoch_ = 0, warp_ = 0, sequence_ = 0;
};

TEST(BlockWaits, LoadsOverlapUntilAStore) {
  Block block;
  block.global(Operation::load, 0).global(Operation::load, 100).accumulate();
  block.global(Operation::load, 200).global(Operation::store, 0, 1);
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 1}));
}

TEST(BlockWaits, ALoadAfterAStoreIsAnotherWait) {
  Block block;
  for (uint32_t i = 0; i < 3; ++i)
    block.global(Operation::load, 100 * i).global(Operation::store, 0, 1);
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 3}));
}

TEST(BlockWaits, ASectorComesFromBeyondL1OnlyOnce) {
  Block block;
  block.global(Operation::load, 0).global(Operation::store, 50, 1);
  block.global(Operation::load, 7)
      .global(Operation::store, 51, 1);  // Elements 0 to 7 are one sector.
  block.global(Operation::load, 8).global(Operation::store, 52, 1);
  block.global(Operation::load, 0, 1).global(Operation::store, 53, 1);  // Another buffer.
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 3, .l1 = 1}));
}

TEST(BlockWaits, ABlockFindsItsOwnStoresInL1) {
  Block block;
  block.global(Operation::store, 3).global(Operation::load, 3);
  EXPECT_EQ(block.waits(), (BlockWaits{.l1 = 1}));
}

TEST(BlockWaits, OverlappingLoadsCountAsTheSlowest) {
  Block block;
  block.shared(Operation::load).global(Operation::load, 0).shared(Operation::load);
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 1}));
}

/// This occurs when tiles of two matrices are loaded. Shared memory does not alias global memory.
TEST(BlockWaits, GlobalLoadsOverlapAcrossASharedStore) {
  Block block;
  block.global(Operation::load, 0).shared(Operation::store);
  block.global(Operation::load, 100).shared(Operation::store).barrier();
  block.shared(Operation::load).global(Operation::store, 200).shared(Operation::load);
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 1, .shared = 1, .barriers = 1}));
}

TEST(BlockWaits, ShareBeyondL1IsTheShareOfNewSectors) {
  Block block;
  block.global(Operation::load, 0).global(Operation::load, 7).global(Operation::load, 8);
  block.global(Operation::store, 16).global(Operation::load, 17).shared(Operation::load);
  EXPECT_DOUBLE_EQ(block.shareBeyond(), 2.0 / 4) << "elements 0 to 7 are one sector";
  EXPECT_DOUBLE_EQ(Block().barrier().shareBeyond(), 1) << "nothing is loaded";
}

TEST(BlockWaits, BetweenBarriersTheSlowestWarpCounts) {
  Block block;
  block.in(0, 0).global(Operation::load, 0).barrier();
  block.in(0, 1).barrier();
  block.in(1, 0).barrier();
  block.in(1, 1).shared(Operation::load).barrier();
  block.in(2, 0).shared(Operation::load).shared(Operation::store);
  block.shared(Operation::load);
  EXPECT_EQ(block.waits(), (BlockWaits{.beyondL1 = 1, .shared = 3, .barriers = 2}));
}

}  // namespace tilestep::metrics::block_waits_test
