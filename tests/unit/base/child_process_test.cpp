// SPDX-License-Identifier: Apache-2.0
#include "base/process/child_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "base/files.h"
#include "base/private_folder.h"
#include "base/process/run_command.h"
#include "support/own_process.h"
#include "support/results.h"

namespace tilestep {
namespace fs = std::filesystem;
namespace child_process_test {

const support::OwnProcess ownProcess{"ChildProcess"};

using std::chrono::milliseconds;
using std::chrono::seconds;

/// Waits until the process has ended, even if it has not been reaped.
bool isGone(pid_t process) {
  constexpr int kTries = 6000;  // A minute, because a process may be waiting for a slow disk.
  for (int tries = 0; tries < kTries; ++tries) {
    const auto status = readTextFile("/proc/" + std::to_string(process) + "/stat");
    if (!status || status->find(") Z ") != std::string::npos) return true;
    ::usleep(10000);
  }
  return false;
}

TEST(RunCommand, PassesWordsUnchangedAndKeepsOutput) {
  const auto result = runCommand({"printf", "%s", "a b; $HOME"}, seconds(60));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->exitStatus, 0);
  EXPECT_EQ(result->output, "a b; $HOME");
}

TEST(RunCommand, AMissingProgramIsNamedWithAFix) {
  const auto result = runCommand({"no-such-program-here"}, seconds(60));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().message,
            "cannot start no-such-program-here: No such file or directory; install it, or add its "
            "folder to PATH");
}

TEST(RunCommand, KeepsTheOrderOfBothOutputsAndTheExitStatus) {
  const auto result =
      runCommand({"sh", "-c", "echo one; echo two >&2; echo three; exit 7"}, seconds(60));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->output, "one\ntwo\nthree\n");
  EXPECT_EQ(result->exitStatus, 7);
  EXPECT_FALSE(result->timedOut);
}

TEST(RunCommand, KeepsAtMostMaxBytes) {
  const auto result =
      valueOrThrow(runCommand({"sh", "-c", "yes | head -c 3000000"}, seconds(60), 100000));
  EXPECT_EQ(result.output.size(), 100000U);
  EXPECT_EQ(result.exitStatus, 0);
}

TEST(RunCommand, ChildrenOfTheProgramEndWithIt) {
  const auto result = valueOrThrow(runCommand({"sh", "-c", "sleep 1000 & echo $!"}, seconds(60)));
  EXPECT_FALSE(result.timedOut);
  EXPECT_TRUE(isGone(std::stoi(result.output)));
}

TEST(ChildProcess, InheritsOurEnvironmentAndGetsAddedVariables) {
  ::setenv("TILESTEP_OURS", "ours", 1);
  auto child = ChildProcess::start({"sh", "-c", "exec test \"$TILESTEP_OURS$ADDED\" = oursyes"},
                                   {.environment = {"ADDED=yes"}});
  ::unsetenv("TILESTEP_OURS");
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(exitStatusOf(child->reap()), 0);
  EXPECT_EQ(child->id(), -1);
}

TEST(ChildProcess, EndsWithItsObject) {
  pid_t process = -1;
  {
    const auto child = valueOrThrow(ChildProcess::start({"sleep", "1000"}));
    process = child.id();
  }
  EXPECT_TRUE(isGone(process));
}

TEST(ChildProcess, GivesWayInANewSession) {
  const auto child = valueOrThrow(ChildProcess::start({"sleep", "1000"}, {.givesWay = true}));
  EXPECT_EQ(::getsid(child.id()), child.id());
  EXPECT_EQ(::getpgid(child.id()), child.id()) << "so that it can still be killed with its group";
  EXPECT_EQ(::getpriority(PRIO_PROCESS, static_cast<id_t>(child.id())), 19);
  std::ifstream file("/proc/" + std::to_string(child.id()) + "/autogroup");
  std::string group;
  if (std::getline(file, group)) {  // Not every kernel has autogroups.
    EXPECT_TRUE(group.ends_with("nice 10")) << group;
  }
}

TEST(ChildProcess, ReadsOurInput) {
  auto child = valueOrThrow(ChildProcess::start({"cat"}, {.takesInput = true}));
  ASSERT_EQ(::write(child.input.get(), "said", 4), 4);
  child.input.close();
  const int status = child.reap();
  EXPECT_EQ(describeEnd(status), "exit status 0");
  char text[8] = {};
  EXPECT_EQ(::read(child.output.get(), text, sizeof text), 4);
  EXPECT_STREQ(text, "said");
}

TEST(ChildProcess, ReportsTheSignalThatEndedIt) {
  auto child = valueOrThrow(ChildProcess::start({"sleep", "1000"}));
  child.signalGroup(SIGTERM);
  EXPECT_EQ(describeEnd(child.reap()), "signal SIGTERM");
}

TEST(PrivateFolder, IsRemovedWithItsContents) {
  fs::path path;
  {
    const PrivateFolder folder;
    path = folder.path();
    EXPECT_EQ(fs::status(path).permissions() & fs::perms::mask, fs::perms::owner_all);
    ASSERT_TRUE(writeFileAtomically(path / "x", "y").ok());
  }
  EXPECT_FALSE(fs::exists(path));
}

}  // namespace child_process_test
}  // namespace tilestep
