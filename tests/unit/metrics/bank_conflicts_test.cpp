// SPDX-License-Identifier: Apache-2.0
#include "metrics/bank_conflicts.h"

#include <gtest/gtest.h>

namespace tilestep::metrics::bank_conflicts_test {

/// The slots that a warp accesses in a width x width tile with `pitch` floats per row. If
/// `swapped`, the slot of thread (tx, ty) is [tx][ty].
std::vector<uint32_t> tileSlots(uint32_t width, uint32_t pitch, bool swapped) {
  std::vector<uint32_t> offsets;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t tx = lane % width, ty = lane / width;
    offsets.push_back(4 * (swapped ? tx * pitch + ty : ty * pitch + tx));
  }
  return offsets;
}

TEST(BankConflicts, RequestsOfAWarp) {
  std::vector<uint32_t> vectors;
  for (uint32_t lane = 0; lane < 32; ++lane) vectors.push_back(lane * 16);
  const struct {
    const char* what;
    std::vector<uint32_t> offsets;
    uint32_t width, wavefronts, conflicts, distinctWords;
  } cases[] = {
      {"a swapped slot: all lanes in one bank", tileSlots(32, 32, true), 4, 32, 31, 32},
      {"a swapped slot with a column of padding", tileSlots(32, 33, true), 4, 1, 0, 32},
      {"slots tx * 16 + ty: every second tx in one bank", tileSlots(16, 16, true), 4, 8, 7, 32},
      {"one word for all lanes", std::vector<uint32_t>(32, 128), 4, 1, 0, 1},
      {"wide accesses need four wavefronts", vectors, 16, 4, 0, 128},
      {"bytes of one word", {0, 1, 2, 3}, 1, 1, 0, 1},
  };
  for (const auto& each : cases) {
    SCOPED_TRACE(each.what);
    const BankUse use = bankUse(each.offsets, each.width);
    EXPECT_EQ(use.wavefronts, each.wavefronts);
    EXPECT_EQ(use.conflicts, each.conflicts);
    EXPECT_EQ(use.distinctWords, each.distinctWords);
  }
}

TEST(BankConflicts, BanksHaveTheirWordsAndLanes) {
  const BankUse use = bankUse(tileSlots(32, 32, true), 4);
  EXPECT_EQ(use.degree(), 32U);
  EXPECT_EQ(use.conflictingBanks(), std::vector<uint32_t>{0});
  ASSERT_EQ(use.banks[0].size(), 32U);
  EXPECT_EQ(use.banks[0][3].lanes, std::vector<uint32_t>{3});
}

}  // namespace tilestep::metrics::bank_conflicts_test
