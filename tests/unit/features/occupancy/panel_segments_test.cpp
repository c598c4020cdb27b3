// SPDX-License-Identifier: Apache-2.0
#include "features/occupancy/panel_segments.h"

#include <gtest/gtest.h>

namespace tilestep::features::panel_segments_test {

OccupancyBar barOf(uint64_t asked, uint64_t taken, uint64_t available) {
  OccupancyBar bar;
  bar.asked = asked;
  bar.taken = taken;
  bar.available = available;
  return bar;
}

TEST(OccupancySegments, EachBlockHasASegmentFollowedByAGap) {
  const std::vector<BarSegment> segments = segmentsOf(barOf(50, 100, 400), 3, 400);
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[1].left, 100);
  EXPECT_EQ(segments[1].right, 199);
  EXPECT_EQ(segments[1].middle, 149.5F);
  EXPECT_TRUE(segmentsOf(barOf(0, 0, 400), 3, 400).empty());
}

TEST(OccupancySegments, SegmentsDoNotOutnumberPixels) {
  constexpr uint32_t kMany = UINT32_MAX;
  const std::vector<BarSegment> narrow = segmentsOf(barOf(1, 1, kMany), kMany, 400);
  ASSERT_EQ(narrow.size(), 1U);
  EXPECT_FLOAT_EQ(narrow[0].right, 400);
  EXPECT_LE(segmentsOf(barOf(3, 3, 400), kMany, 400).size(), 200U) << "more than fit";
}

}  // namespace tilestep::features::panel_segments_test
