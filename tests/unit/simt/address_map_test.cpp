// SPDX-License-Identifier: Apache-2.0
#include "simt/address_map.h"

#include <gtest/gtest.h>

namespace tilestep::simt::address_map_test {

constexpr uint64_t kCell = uint64_t{1} << kCellBits;

Region at(uint64_t cell, uint64_t bytes) {
  return {kGlobalStart + cell * kCell, bytes, nullptr, nullptr, true, true};
}

TEST(AddressMap, TheGapBetweenTwoRegionsIsDividedInTheMiddle) {
  const AddressMap map({at(10, 100), at(20, 100)});
  const auto regionAt = [&](uint64_t cell, uint64_t offset) {
    return map.regionAt(kGlobalStart + cell * kCell + offset);
  };
  EXPECT_EQ(regionAt(10, 0), 0);
  EXPECT_EQ(regionAt(10, 1000), 0);
  EXPECT_EQ(regionAt(14, 0), 0);
  EXPECT_EQ(regionAt(16, 0), 1);
  EXPECT_EQ(regionAt(20, 50), 1);
  EXPECT_EQ(regionAt(0, 0), 0) << "before the first region";
  EXPECT_EQ(regionAt(kCells - 1, kCell - 1), 1) << "behind the last region";
}

TEST(AddressMap, RegionsMayBeUnsortedAndInAdjacentCells) {
  const AddressMap map({at(7, 8), at(5, kCell), at(6, 8)});
  EXPECT_EQ(map.regionAt(kGlobalStart + 5 * kCell), 1);
  EXPECT_EQ(map.regionAt(kGlobalStart + 6 * kCell), 2);
  EXPECT_EQ(map.regionAt(kGlobalStart + 7 * kCell), 0);
}

TEST(AddressMap, ARegionMayHaveManyCells) {
  const AddressMap map({at(3, 5 * kCell), at(40, 1)});
  EXPECT_EQ(map.regionAt(kGlobalStart + 7 * kCell + 5), 0);
  EXPECT_EQ(map.regionAt(kGlobalStart + 40 * kCell), 1);
}

TEST(AddressMap, OnlyGlobalAddressesHaveARegion) {
  const AddressMap map({at(0, 4)});
  EXPECT_EQ(map.regionAt(0), kNoRegion);
  EXPECT_EQ(map.regionAt(kGlobalStart - 4), kNoRegion);
  EXPECT_EQ(map.regionAt(kGlobalStart + kCells * kCell), kNoRegion);
  EXPECT_EQ(map.regionAt(~uint64_t{0}), kNoRegion);
  EXPECT_EQ(AddressMap().regionAt(kGlobalStart), kNoRegion);
}

}  // namespace tilestep::simt::address_map_test
