// SPDX-License-Identifier: Apache-2.0
#include "base/process/confine.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/private_folder.h"
#include "base/process/child_process.h"
#include "support/own_process.h"
#include "support/skips.h"

namespace tilestep::confine_test {

const support::OwnProcess ownProcess{"Confine"};

/// Calls work() in a child process that is confined first, and returns its result.
int confined(const Confinement& limits, const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(confine(limits) ? work() : 99);
  int status = 0;
  ::waitpid(child, &status, 0);
  return exitStatusOf(status);
}

bool opens(const std::filesystem::path& file) {
  const int opened = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (opened >= 0) ::close(opened);
  return opened >= 0;
}

TEST(Confine, OnlyNamedFilesCanBeOpened) {
  if (!canKeepFiles()) GTEST_SKIP() << support::because(support::kNoLandlock);
  const PrivateFolder own, other;
  std::ofstream(own.path() / "a") << "a";
  std::ofstream(other.path() / "b") << "b";
  Confinement limits;
  limits.keepsFiles = true;
  limits.readable = {own.path(), "/nonexistent"};
  EXPECT_EQ(confined(limits,
                     [&] {
                       if (!opens(own.path() / "a")) return 1;
                       if (opens(other.path() / "b") || opens("/etc/passwd")) return 2;
                       const int made =
                           ::open((own.path() / "c").c_str(), O_CREAT | O_WRONLY, 0600);
                       return made >= 0 ? 3 : 0;
                     }),
            0);
  limits.writable = {own.path()};
  EXPECT_EQ(confined(limits,
                     [&] {
                       const int made =
                           ::open((own.path() / "c").c_str(), O_CREAT | O_WRONLY, 0600);
                       return made >= 0 ? 0 : 1;
                     }),
            0);
}

TEST(Confine, LimitsMemory) {
  Confinement limits;
  limits.memoryBytes = uint64_t{8} << 30;
  const auto maps = [](size_t bytes) {
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? 1 : 0;
  };
  EXPECT_EQ(confined(limits, [&] { return maps(size_t{1} << 20); }), 0);
  EXPECT_EQ(confined(limits, [&] { return maps(size_t{9} << 30); }), 1);
}

TEST(Confine, ALowerExistingLimitStays) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit lower{uint64_t{2} << 30, uint64_t{2} << 30};
    ::setrlimit(RLIMIT_AS, &lower);
    Confinement limits;
    limits.memoryBytes = uint64_t{4} << 30;
    rlimit now{};
    ::_exit(confine(limits) && ::getrlimit(RLIMIT_AS, &now) == 0 && now.rlim_max == lower.rlim_max
                ? 0
                : 1);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Confine, EndsAtOnceIfTheParentHasEnded) {
  Confinement limits;
  limits.parent = 1;  // Not this process.
  EXPECT_EQ(confined(limits, [] { return 0; }), 128 + SIGKILL);
}

/// Turns this process into a confined command.
int asCommand(const Confinement& limits, const std::vector<std::string>& words) {
  std::vector<std::string> command = confinedCommand("tilestep", limits, words);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  return runIfConfined(static_cast<int>(command.size()), arguments.data()).value_or(-1);
}

/// The command leads a new process group, so its signals do not reach this test.
TEST(Confine, ChildrenOfACommandEndWithItsParent) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t parent = ::fork();
  if (parent == 0) {
    Confinement limits;
    limits.parent = ::getpid();
    limits.endsAll = true;
    ::close(ends[0]);
    if (::fork() == 0)
      ::_exit(asCommand(
          limits, {"/bin/sh", "-c",
                   "sleep 600 & echo begun > /dev/fd/" + std::to_string(ends[1]) + "; wait"}));
    while (true) ::pause();
  }
  ::close(ends[1]);
  std::array<char, 16> bytes{};
  EXPECT_GT(::read(ends[0], bytes.data(), bytes.size()), 0) << "the command has started";
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  // The pipe closes when the last process that can write to it ends.
  pollfd end{ends[0], POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, 20'000), 1);
  EXPECT_EQ(::read(ends[0], bytes.data(), bytes.size()), 0);
  ::close(ends[0]);
}

TEST(Confine, ACommandThatEndsAllNeedsAParent) {
  Confinement limits;
  limits.endsAll = true;
  EXPECT_EQ(asCommand(limits, {"/bin/true"}), kCannotRun);
}

TEST(Confine, OtherArgumentsAreIgnored) {
  char program[] = "tilestep", command[] = "run";
  char* arguments[] = {program, command, nullptr};
  EXPECT_FALSE(runIfConfined(2, arguments));
  EXPECT_FALSE(runIfConfined(1, arguments));
}

}  // namespace tilestep::confine_test
