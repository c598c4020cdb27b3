// SPDX-License-Identifier: Apache-2.0
#include "base/utc.h"

#include <gtest/gtest.h>

#include "base/percent.h"

namespace tilestep::utc_test {

TEST(Utc, HasDateAndTime) {
  EXPECT_EQ(utcText(0), "1970-01-01T00:00:00Z");
  EXPECT_EQ(utcText(951782399), "2000-02-28T23:59:59Z");
  EXPECT_EQ(utcText(951782400), "2000-02-29T00:00:00Z");
  EXPECT_EQ(utcNow().size(), utcText(0).size());
  EXPECT_EQ(utcToday().size(), 10U);
  EXPECT_GE(utcToday(), "2024-01-01");
}

TEST(WholePercent, IsRounded) {
  EXPECT_EQ(wholePercent(0), "0 %");
  EXPECT_EQ(wholePercent(0.125), "13 %");
  EXPECT_EQ(wholePercent(0.994), "99 %");
  EXPECT_EQ(wholePercent(1.08), "108 %");
}

}  // namespace tilestep::utc_test
