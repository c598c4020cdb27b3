// SPDX-License-Identifier: Apache-2.0
#include "features/load_history/load_history.h"

#include <gtest/gtest.h>

#include "unit/model/session_fixture.h"

namespace tilestep::features::load_history_test {

class LoadHistories : public SessionFixture {};

TEST_F(LoadHistories, ArbitraryPhaseNumbersAreHandled) {
  open();
  settle();
  ASSERT_TRUE(snapshot().mainKernel);
  TracedKernel kernel = *snapshot().mainKernel;
  ASSERT_FALSE(kernel.tallies.phases.empty());
  const auto story = storyOf(kernel, nullptr);
  ASSERT_TRUE(story);
  EXPECT_EQ(story->phases(), kernel.tallies.phases.back().phase + 1);
  // A point for each of these phases would exceed the memory.
  for (const uint32_t phase : {0xffffffffU, 0x80000000U, 1U << 20}) {
    kernel.tallies.phases.back().phase = phase;
    EXPECT_FALSE(storyOf(kernel, nullptr));
  }
}

}  // namespace tilestep::features::load_history_test
