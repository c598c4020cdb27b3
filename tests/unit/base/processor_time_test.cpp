// SPDX-License-Identifier: Apache-2.0
#include "base/process/processor_time.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "base/process/child_process.h"
#include "support/service.h"

namespace tilestep::processor_time_test {

using std::chrono::milliseconds;

constexpr const char* kBurn = "while :; do :; done";

constexpr double kPatience = 600;  // In seconds.

/// The next line that the process writes; empty at the end of its output.
std::string nextLine(ChildProcess& child) {
  std::string line;
  for (char c = 0; c != '\n';) {
    pollfd stream{child.output.get(), POLLIN, 0};
    if (::poll(&stream, 1, -1) < 0 || ::read(child.output.get(), &c, 1) != 1) return {};
    if (c != '\n') line += c;
  }
  return line;
}

TEST(ProcessorTime, CountsBusyButNotSleepingProcesses) {
  const auto busy = ChildProcess::start({"sh", "-c", kBurn});
  const auto sleeping = ChildProcess::start({"sleep", "1000"});
  ASSERT_TRUE(busy.ok() && sleeping.ok());
  constexpr milliseconds kMuch{500};
  ASSERT_TRUE(
      support::becomesTrue(kPatience, [&] { return processorTimeOf(busy->id()) >= kMuch; }));
  EXPECT_GE(processorTimeOfGroup(busy->id()), kMuch);
  EXPECT_LT(processorTimeOf(sleeping->id()), kMuch);
  EXPECT_LT(processorTimeOfGroup(sleeping->id()), kMuch) << "it is not in the busy process's group";
}

TEST(ProcessorTime, IncludesChildrenOnceTheyAreWaitedFor) {
  auto parent = ChildProcess::start(
      {"sh", "-c",
       "sh -c '" + std::string(kBurn) + "' & echo $!; wait $!; echo ended; exec sleep 1000"});
  ASSERT_TRUE(parent.ok());
  const auto child = static_cast<pid_t>(std::stoi(nextLine(*parent)));
  constexpr milliseconds kMuch{500};
  ASSERT_TRUE(support::becomesTrue(kPatience, [&] { return processorTimeOf(child) >= kMuch; }));
  EXPECT_GE(processorTimeOfGroup(parent->id()), kMuch);
  EXPECT_LT(processorTimeOf(parent->id()), kMuch) << "the parent has not waited for its child yet";
  ::kill(child, SIGKILL);
  EXPECT_EQ(nextLine(*parent), "ended");
  EXPECT_GE(processorTimeOf(parent->id()), kMuch);
  EXPECT_GE(processorTimeOfGroup(parent->id()), kMuch);
}

TEST(ProcessorTime, IsZeroWithoutAProcess) {
  EXPECT_EQ(processorTimeOf(-1), milliseconds(0));
  EXPECT_EQ(processorTimeOfGroup(-1), milliseconds(0));
}

}  // namespace tilestep::processor_time_test
