// SPDX-License-Identifier: Apache-2.0
#include "runner/outcome.h"

#include <gtest/gtest.h>

namespace tilestep::runner::outcome_test {

std::vector<Outcome> outcomes(size_t count, Status status, const std::string& reason = {}) {
  Outcome outcome;
  outcome.status = status;
  outcome.reason = reason;
  return std::vector<Outcome>(count, outcome);
}

std::vector<Outcome> operator+(std::vector<Outcome> left, const std::vector<Outcome>& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

TEST(Summary, CountsHowTestsEnded) {
  EXPECT_EQ(summaryOf({}, 0), "0 tests: 0 passed, 0 skipped, 0 failed");
  EXPECT_EQ(summaryOf(outcomes(1, Status::passed), 1), "1 test: 1 passed, 0 skipped, 0 failed");
  EXPECT_EQ(summaryOf(outcomes(2, Status::passed) + outcomes(1, Status::failed, "SIGSEGV"), 3),
            "3 tests: 2 passed, 0 skipped, 1 failed");
  EXPECT_EQ(summaryOf(outcomes(84, Status::passed), 2662),
            "84 of 2,662 tests: 84 passed, 0 skipped, 0 failed");
  EXPECT_EQ(
      summaryOf(outcomes(1000, Status::passed) + outcomes(2, Status::skipped, "no CUDA Toolkit") +
                    outcomes(1002, Status::skipped, "no GPU") + outcomes(1, Status::skipped),
                2005),
      "2,005 tests: 1,000 passed, 1,005 skipped (1,002 no GPU, 2 no CUDA Toolkit, "
      "1 no reason given), 0 failed");
}

TEST(Summary, OnlySkipsWithAReasonAreGood) {
  EXPECT_TRUE(isGood(outcomes(1, Status::passed)[0]));
  EXPECT_TRUE(isGood(outcomes(1, Status::skipped, "no GPU")[0]));
  EXPECT_FALSE(isGood(outcomes(1, Status::skipped)[0]));
  EXPECT_FALSE(isGood(outcomes(1, Status::failed)[0]));
}

}  // namespace tilestep::runner::outcome_test
