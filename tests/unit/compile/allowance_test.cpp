// SPDX-License-Identifier: Apache-2.0
#include "compile/compilers/allowance.h"

#include <gtest/gtest.h>

#include <chrono>

namespace tilestep::compile::allowance_test {

using std::chrono::milliseconds;
using std::chrono::seconds;

CompileLimits limitsOf(milliseconds processorTime) {
  CompileLimits limits;
  limits.time = {processorTime};
  return limits;
}

CommandResult runOf(milliseconds processorTime, bool timedOut = false) {
  CommandResult ran;
  ran.processorTime = processorTime;
  ran.timedOut = timedOut;
  if (timedOut) ran.limit = "what was left";
  return ran;
}

TEST(Allowance, TheProcessorTimeOfEarlierRunsIsSubtracted) {
  Allowance limits(limitsOf(seconds(60)));
  EXPECT_EQ(limits.left().time.processor, seconds(60));
  CommandResult first = runOf(seconds(20)), second = runOf(seconds(15));
  limits.takeOff(first);
  EXPECT_EQ(limits.left().time.processor, seconds(40));
  limits.takeOff(second);
  EXPECT_EQ(limits.left().time.processor, seconds(25));
  EXPECT_EQ(second.limit, "");
  CommandResult last = runOf(seconds(26), true);
  limits.takeOff(last);
  EXPECT_EQ(limits.left().time.processor, seconds(0)) << "it never becomes negative";
  EXPECT_EQ(last.limit, "60.0 s of processor time") << "the limit of all runs together";
}

TEST(Allowance, TheClockRunsOnIndependently) {
  const Allowance::Clock::time_point start{};
  Allowance limits(limitsOf(seconds(60)), start);
  EXPECT_EQ(limits.left(start + seconds(100)).time.clock, seconds(500));
  EXPECT_EQ(limits.left(start + seconds(100)).time.processor, seconds(60)) << "nothing has run";
  EXPECT_EQ(limits.left(start + seconds(700)).time.clock, seconds(0))
      << "it never becomes negative";
  CommandResult waited = runOf(seconds(1), true);
  limits.takeOff(waited);
  EXPECT_EQ(waited.limit, "600 s");
}

TEST(Allowance, OtherLimitsAreUnchanged) {
  CompileLimits whole = limitsOf(seconds(60));
  whole.memoryBytes = 12345;
  whole.cancelled = [] { return true; };
  const CompileLimits left = Allowance(whole).left();
  EXPECT_EQ(left.memoryBytes, 12345U);
  EXPECT_TRUE(left.cancelled());
}

}  // namespace tilestep::compile::allowance_test
