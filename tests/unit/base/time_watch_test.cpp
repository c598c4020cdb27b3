// SPDX-License-Identifier: Apache-2.0
// Time limits. The tests do not depend on the machine's speed: they wait until a program has used
// enough time.
#include "base/process/time_watch.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <string>

#include "base/process/child_process.h"
#include "base/process/processor_time.h"
#include "base/process/run_command.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::time_watch_test {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr const char* kBurn = "while :; do :; done";
constexpr double kPatience = 600;  // In seconds.

TEST(TimeLimits, ClockLimitIsTenTimesTheProcessorLimit) {
  constexpr TimeLimits limits{seconds(60)};
  EXPECT_EQ(limits.processor, seconds(60));
  EXPECT_EQ(limits.clock, seconds(600));
  EXPECT_EQ(processorText(limits), "60.0 s of processor time");
  EXPECT_EQ(clockText(limits), "600 s");
}

TEST(TimeLimits, AWaitingProgramIsEndedByTheClockLimit) {
  CommandRules rules;
  rules.time = {hours(1)};
  rules.time.clock = milliseconds(30);
  const auto result = valueOrThrow(runCommand({"sleep", "1000"}, rules));
  EXPECT_TRUE(result.timedOut);
  EXPECT_EQ(result.limit, "30.0 ms");
  EXPECT_EQ(result.exitStatus, 128 + SIGKILL);
}

TEST(TimeLimits, ABusyProgramIsEndedByTheProcessorLimit) {
  CommandRules rules;
  rules.time = {milliseconds(200)};
  rules.time.clock = hours(1);
  const std::string inChild = "sh -c '" + std::string(kBurn) + "'; true";
  for (const std::string& script : {std::string(kBurn), inChild}) {
    const auto result = valueOrThrow(runCommand({"sh", "-c", script}, rules));
    EXPECT_TRUE(result.timedOut) << script;
    EXPECT_EQ(result.limit, "200 ms of processor time") << script;
    EXPECT_GE(result.processorTime, milliseconds(200)) << script;
  }
}

TEST(TimeLimits, TheTimeOfAProgramIncludesItsChildren) {
  const std::string loop = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
  const auto result = runCommand({"sh", "-c", "( " + loop + " ); exit 3"}, hours(1));
  ASSERT_TRUE(result.ok());
  EXPECT_FALSE(result->timedOut);
  EXPECT_EQ(result->limit, "");
  EXPECT_EQ(result->exitStatus, 3);
  EXPECT_GT(result->processorTime, milliseconds(0));
}

/// A compiler process that serves many requests has used much time before each request.
TEST(TimeLimits, EarlierTimeDoesNotCount) {
  const auto child = valueOrThrow(ChildProcess::start({"sh", "-c", kBurn}));
  constexpr milliseconds kBefore{300};
  ASSERT_TRUE(
      support::becomesTrue(kPatience, [&] { return processorTimeOf(child.id()) >= kBefore; }));
  TimeLimits limits{milliseconds(200)};
  limits.clock = hours(1);
  const milliseconds before = processorTimeOf(child.id());
  TimeWatch watch(child.id(), limits);
  ASSERT_TRUE(support::becomesTrue(kPatience, [&] { return !watch.reached().empty(); }));
  EXPECT_GE(watch.used(), limits.processor);
  EXPECT_GE(processorTimeOf(child.id()), before + limits.processor);
}

}  // namespace tilestep::time_watch_test
