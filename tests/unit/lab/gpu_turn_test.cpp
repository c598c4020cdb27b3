// SPDX-License-Identifier: Apache-2.0
// Locks of a GPU that does not exist, taken by two threads or processes.
#include "lab/devices/gpu_turn.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <thread>
#include <vector>

#include "base/process/process_facts.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"

namespace tilestep::lab::gpu_turn_test {

const support::OwnProcess ownProcess{"GpuTurnTest"};

namespace fs = std::filesystem;

class GpuTurnTest : public testing::Test {
 protected:
  GpuTurnTest() { ::chmod(folder_.c_str(), 01777); }

  /// Does not wait, because it is cancelled if the GPU is not free.
  [[nodiscard]] Result<GpuTurn> tryTake(const std::string& gpu = "a") const {
    return GpuTurn::take(folder_, gpu, [] { return true; }, {});
  }
  /// Starts a process that holds the lock until it is killed. Runs as `user` if that is not 0.
  [[nodiscard]] pid_t holder(uid_t user = 0) const {
    const pid_t process = ::fork();
    if (process == 0) {
      if (user != 0 && ::setresuid(user, user, user) != 0) ::_exit(1);
      for (;;) {  // The parent polls this lock, so it may hold the lock for a moment.
        const auto turn = tryTake();
        while (turn && turn->isHeld()) ::pause();
      }
    }
    while (tryTake().ok() && ::waitpid(process, nullptr, WNOHANG) == 0) std::this_thread::yield();
    return process;
  }
  static void kill(pid_t process) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }

  support::TemporaryFolder temporary_{"turn"};
  const std::string folder_ = temporary_.path();
};

TEST_F(GpuTurnTest, AWaitingThreadLearnsTheHolderAndGetsTheGpu) {
  Result<GpuTurn> first = tryTake();
  ASSERT_TRUE(first && first->isHeld());
  std::string holder;
  std::thread second([&] {
    const auto turn = GpuTurn::take(folder_, "a", {}, [&](int, const std::string& text) {
      holder = text;
      *first = GpuTurn();
    });
    EXPECT_TRUE(turn && turn->isHeld());
  });
  second.join();
  const std::string name = "process " + std::to_string(::getpid()) + " of " + userName(::geteuid());
  EXPECT_TRUE(holder.starts_with(name + " has used it for ")) << holder;
  EXPECT_EQ(waitingText("H200", 12, "x uses it"), "waiting for the H200, 12 s: x uses it");
}

TEST_F(GpuTurnTest, AWaitEndsWhenCancelledOrTooLong) {
  const auto first = tryTake();
  const auto cancelled = tryTake();
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().message, "Cancelled.");
  const auto late = GpuTurn::take(folder_, "a", {}, {}, std::chrono::seconds(0));
  ASSERT_FALSE(late);
  const std::string start = "The GPU was not free for 0 s (process " + std::to_string(::getpid());
  EXPECT_TRUE(late.error().message.starts_with(start)) << late.error().message;
}

TEST_F(GpuTurnTest, EachGpuHasItsOwnLock) {
  const auto first = tryTake("a"), second = tryTake("b/1");
  EXPECT_TRUE(first && first->isHeld() && second && second->isHeld());
}

TEST_F(GpuTurnTest, AKilledProcessOfAnyUserFreesTheGpu) {
  std::vector<uid_t> users{0};
  if (::geteuid() == 0) users.push_back(12001);
  for (const uid_t user : users) {
    const pid_t process = holder(user);
    EXPECT_FALSE(tryTake()) << user;
    kill(process);
    const auto turn = tryTake();
    EXPECT_TRUE(turn && turn->isHeld()) << user;
  }
}

TEST_F(GpuTurnTest, ContinuesWithANoteIfTheLockFileIsUnusable) {
  fs::create_symlink("/dev/null", folder_ + "/tilestep-a.lock");
  for (const std::string& folder : {folder_, std::string("/no/such/folder")}) {
    const auto turn = valueOrThrow(GpuTurn::take(folder, "a", {}, {}));
    EXPECT_FALSE(turn.isHeld());
    EXPECT_TRUE(turn.note().starts_with(folder + "/tilestep-a.lock cannot be locked"));
  }
}

}  // namespace tilestep::lab::gpu_turn_test
