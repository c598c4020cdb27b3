// SPDX-License-Identifier: Apache-2.0
#include "runner/batches.h"

#include <gtest/gtest.h>

namespace tilestep::runner::batches_test {

TEST(Batches, AProgramsListIsRead) {
  const std::vector<TestCase> tests = testsIn("A.first\nA/B.second/0\town\nnot a test\n");
  ASSERT_EQ(tests.size(), 2U);
  EXPECT_EQ(tests[0].suite, "A");
  EXPECT_EQ(tests[0].name, "first");
  EXPECT_FALSE(tests[0].ownProcess);
  EXPECT_EQ(tests[1].fullName(), "A/B.second/0");
  EXPECT_TRUE(tests[1].ownProcess);
}

TEST(Batches, ASuiteThatRunsAloneIsALaterBatch) {
  const Program program{"gpu", "", testsIn("A.x\talone\nB.y\nA.z\talone\n")};
  const std::vector<Batch> batches = batchesOf({program}, 8);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0].tests, std::vector<std::string>{"B.y"});
  EXPECT_FALSE(batches[0].alone);
  EXPECT_EQ(batches[1].tests, (std::vector<std::string>{"A.x", "A.z"}));
  EXPECT_TRUE(batches[1].alone);
}

TEST(Batches, PatternsMatchAnywhereInTheTitle) {
  EXPECT_TRUE(matches("unit: Occupancy.Limits", {}));
  EXPECT_TRUE(matches("unit: Occupancy.Limits", {"Occupancy"}));
  EXPECT_TRUE(matches("unit: Occupancy.Limits", {"Roofline", "unit: Occ"}));
  EXPECT_TRUE(matches("unit: Occupancy.Limits", {"unit*Lim*ts"}));
  EXPECT_FALSE(matches("unit: Occupancy.Limits", {"occupancy"}));
  EXPECT_FALSE(matches("unit: Occupancy.Limits", {"Limits*unit"}));
  const Program program{"unit", "", {{"Occupancy", "Limits", false}}};
  using Names = std::vector<std::string>;
  EXPECT_EQ(patternsWithoutTest({program}, {"Occupancy", "occupancy", "unit: "}),
            Names{"occupancy"});
  EXPECT_EQ(patternsWithoutTest({program}, {}), Names{});
}

TEST(Batches, SuitesStayWholeUnlessTheyAreLargerThanTheirShare) {
  Program program{"unit", "", {}};
  for (const auto& [suite, count] : {std::pair{"A", 3}, {"B", 5}, {"C", 2}})
    for (int i = 0; i < count; ++i) program.tests.push_back({suite, std::to_string(i), false});
  const std::vector<Batch> batches = batchesOf({program}, 2);
  ASSERT_EQ(batches.size(), 2U);
  EXPECT_EQ(batches[0].tests, (std::vector<std::string>{"B.0", "B.1", "B.2", "B.3", "B.4"}));
  EXPECT_EQ(batches[1].tests, (std::vector<std::string>{"A.0", "A.1", "A.2", "C.0", "C.1"}));
  Program large{"guard", "", {}};
  for (int i = 0; i < 5; ++i) large.tests.push_back({"Gesture", std::to_string(i), false});
  const std::vector<Batch> split = batchesOf({large}, 2);
  ASSERT_EQ(split.size(), 2U);
  EXPECT_EQ(split[0].tests, (std::vector<std::string>{"Gesture.0", "Gesture.1", "Gesture.2"}));
  EXPECT_EQ(split[1].tests, (std::vector<std::string>{"Gesture.3", "Gesture.4"}));
  const Program apart{"unit", "", {{"A", "x", true}, {"A", "y", true}, {"B", "z", false}}};
  const std::vector<Batch> single = batchesOf({apart}, 8);
  ASSERT_EQ(single.size(), 3U);
  for (const Batch& batch : single) EXPECT_EQ(batch.tests.size(), 1U);
}

}  // namespace tilestep::runner::batches_test
