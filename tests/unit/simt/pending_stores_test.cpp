// SPDX-License-Identifier: Apache-2.0
#include "simt/check/pending_stores.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>

namespace tilestep::simt::pending_stores_test {

constexpr Mark kMark = 7 << kSiteShift;

PendingStores::Bytes allLanes(uint64_t word) {
  PendingStores::Bytes bytes{};
  for (auto& lane : bytes) lane.fill(word);
  return bytes;
}

TEST(PendingStores, AStoreIsFoundByEachLanesMark) {
  PendingStores stores;
  PendingStores::Slot& slot = stores.add();
  PendingStores::Bytes bytes{};
  for (uint64_t lane = 0; lane < bytes.size(); ++lane) bytes[lane] = {lane, 0, 0, 100 + lane};
  slot.set(kMark, bytes);
  for (uint64_t lane : {0, 31}) {
    uint64_t found = 0;
    auto* out = reinterpret_cast<uint8_t*>(&found);
    ASSERT_TRUE(stores.find(kMark | lane, 0, 8, out));
    EXPECT_EQ(found, lane);
    ASSERT_TRUE(stores.find(kMark | lane, 24, 8, out));
    EXPECT_EQ(found, 100 + lane) << "the last element of the widest vector";
  }
}

TEST(PendingStores, AStoreIsNotFoundAfterTheWorkersNextStore) {
  PendingStores stores;
  PendingStores::Slot& slot = stores.add();
  uint8_t byte = 0;
  EXPECT_FALSE(stores.find(kMark, 0, 1, &byte));
  slot.set(kMark, allLanes(1));
  slot.set(kMark + (1 << kSiteShift), allLanes(2));
  EXPECT_FALSE(stores.find(kMark, 0, 1, &byte));
  EXPECT_TRUE(stores.find(kMark + (1 << kSiteShift), 0, 1, &byte));
  EXPECT_EQ(byte, 2);
}

/// While the worker makes more stores, a reader finds the value that belongs to the mark, or none.
TEST(PendingStores, TheFoundValueNeverBelongsToAnotherStore) {
  PendingStores stores;
  PendingStores::Slot& slot = stores.add();
  constexpr uint64_t kStores = 20'000;
  const auto markOf = [](uint64_t i) { return Mark{i % 4 + 1} << kSiteShift; };
  std::atomic<bool> ended{false};
  std::thread worker([&] {
    for (uint64_t i = 0; i < kStores; ++i) slot.set(markOf(i), allLanes(i % 4));
    ended = true;
  });
  for (uint64_t i = 0; !ended; ++i) {
    uint64_t found = 0;
    if (stores.find(markOf(i), 0, 8, reinterpret_cast<uint8_t*>(&found))) {
      EXPECT_EQ(found, i % 4);
    }
  }
  worker.join();
}

}  // namespace tilestep::simt::pending_stores_test
