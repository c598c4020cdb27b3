// SPDX-License-Identifier: Apache-2.0
#include "metrics/bank_conflicts.h"

#include <gtest/gtest.h>

namespace tilestep::metrics {
namespace bank_conflicts_test {

/// The slots of one warp of a width x width tile, `pitch` floats a row; swapped: slot [tx][ty].
std::vector<uint32_t> tileSlots(uint32_t width, uint32_t pitch, bool swapped) {
  std::vector<uint32_t> offsets;
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t tx = lane % width, ty = lane / width;
    offsets.push_back(4 * (swapped ? tx * pitch + ty : ty * pitch + tx));
  }
  return offsets;
}

TEST(BankConflicts, ASwappedSlotPutsAllLanesInOneBank) {
  const BankUse use = bankUse(tileSlots(32, 32, true), 4);
  EXPECT_EQ(use.wavefronts, 32U);
  EXPECT_EQ(use.degree(), 32U);
  EXPECT_EQ(use.conflicts, 31U);
  EXPECT_EQ(use.conflictingBanks(), std::vector<uint32_t>{0});
  ASSERT_EQ(use.banks[0].size(), 32U);
  EXPECT_EQ(use.banks[0][3].lanes, std::vector<uint32_t>{3});
}

TEST(BankConflicts, OneColumnOfPaddingRemovesThem) {
  EXPECT_EQ(bankUse(tileSlots(32, 33, true), 4).wavefronts, 1U);
}

TEST(BankConflicts, ASixteenWideSwappedTileConflictsEightWays) {
  // Slots tx * 16 + ty: banks repeat every second tx, so eight words share a bank.
  const BankUse use = bankUse(tileSlots(16, 16, true), 4);
  EXPECT_EQ(use.wavefronts, 8U);
  EXPECT_EQ(use.conflicts, 7U);
}

TEST(BankConflicts, LanesThatReadOneWordShareIt) {
  const BankUse use = bankUse(std::vector<uint32_t>(32, 128), 4);
  EXPECT_EQ(use.wavefronts, 1U);
  EXPECT_EQ(use.distinctWords, 1U);
  EXPECT_EQ(use.conflicts, 0U);
  EXPECT_EQ(use.banks[0][0].lanes.size(), 32U);
}

TEST(BankConflicts, WideAccessesNeedTheirWavefrontsAndNoMore) {
  std::vector<uint32_t> offsets;
  for (uint32_t lane = 0; lane < 32; ++lane) offsets.push_back(lane * 16);
  const BankUse use = bankUse(offsets, 16);
  EXPECT_EQ(use.distinctWords, 128U);
  EXPECT_EQ(use.wavefronts, 4U);
  EXPECT_EQ(use.conflicts, 0U);
}

TEST(BankConflicts, BytesOfOneWordAreOneWord) {
  const BankUse use = bankUse(std::vector<uint32_t>{0, 1, 2, 3}, 1);
  EXPECT_EQ(use.distinctWords, 1U);
  EXPECT_EQ(use.wavefronts, 1U);
}

}  // namespace bank_conflicts_test
}  // namespace tilestep::metrics
