// SPDX-License-Identifier: Apache-2.0
#include "ui/shell/saving/picture_gaps.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::ui::picture_gaps_test {

TEST(PictureGaps, ACompletePictureHasNoGaps) {
  const Result<std::string> lacks = lacksOf({});
  ASSERT_TRUE(lacks);
  EXPECT_EQ(*lacks, "");
}

TEST(PictureGaps, GapsAreListedInSentences) {
  EXPECT_EQ(*lacksOf({.below = true}), "The picture is cut below, because it cannot be larger.");
  EXPECT_EQ(*lacksOf({.below = true, .right = true, .details = true}),
            "The picture is cut below and on the right, because it cannot be larger. Large "
            "matrices are drawn coarsely, because their details were not ready "
            "in time.");
}

TEST(PictureGaps, APictureWithoutValuesIsAnError) {
  EXPECT_TRUE(fails(lacksOf({.details = true, .values = true}), "save the picture again"));
}

TEST(PictureGaps, TheFirstIncompleteStepIsNamed) {
  StepGaps gaps;
  gaps.add(1, "");
  EXPECT_EQ(gaps.text(), "");
  gaps.add(2, "It is cut.");
  EXPECT_EQ(gaps.text(), "The picture of step 2 is incomplete. It is cut.");
  gaps.add(3, "");
  gaps.add(4, "It is cut, too.");
  EXPECT_EQ(gaps.text(), "2 steps have incomplete pictures, the first of them step 2. It is cut.");
}

}  // namespace tilestep::ui::picture_gaps_test
