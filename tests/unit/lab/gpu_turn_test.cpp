// SPDX-License-Identifier: Apache-2.0
// Turns on a GPU that is not there: threads and processes that take them from one folder.
#include "lab/devices/gpu_turn.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "support/own_process.h"
#include "support/skips.h"

namespace tilestep::lab {
namespace gpu_turn_test {

const support::OwnProcess ownProcess{"GpuTurnTest", "ManyProcesses"};

namespace fs = std::filesystem;

void nothing(int, const QueuePlace&) {}
bool atOnce() {
  return true;
}

class GpuTurnTest : public testing::Test {
 protected:
  GpuTurnTest() {
    std::string pattern = testing::TempDir() + "tilestep-turn-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    queue_ = folder_ / "queue";
    fs::create_directory(queue_);
    ::chmod(folder_.c_str(), 0755);
    ::chmod(queue_.c_str(), 01777);
  }
  ~GpuTurnTest() override { fs::remove_all(folder_); }

  [[nodiscard]] Result<GpuTurn> take(const std::string& gpu, const device::Cancelled& cancelled,
                                     const GpuTurn::Waiting& waiting = nothing) const {
    return GpuTurn::take(queue_, gpu, cancelled, waiting);
  }
  /// The files of requests; each user's mark of the last turn stays.
  [[nodiscard]] size_t tickets() const {
    size_t count = 0;
    for (const auto& entry : fs::directory_iterator(queue_))
      count += entry.path().extension() != ".last" ? 1 : 0;
    return count;
  }

  fs::path folder_, queue_;
};

TEST_F(GpuTurnTest, ASecondOneWaitsUntilTheFirstIsGone) {
  auto first = take("a", {});
  ASSERT_TRUE(first && first->isHeld());
  std::atomic<bool> taken{false}, told{false};
  std::thread second(
      [&] { taken = take("a", {}, [&](int, const QueuePlace&) { told = true; }).ok(); });
  while (!told) std::this_thread::yield();
  EXPECT_FALSE(taken);
  *first = GpuTurn();
  second.join();
  EXPECT_TRUE(taken);
  EXPECT_EQ(tickets(), 0U);
}

TEST_F(GpuTurnTest, OneThatIsCancelledWaitsNoLongerAndLeavesTheQueue) {
  const auto first = take("a", {});
  const size_t before = tickets();
  const auto second = take("a", atOnce);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().message, "Cancelled.");
  EXPECT_EQ(tickets(), before);
}

TEST_F(GpuTurnTest, AnotherGpuIsFree) {
  const auto first = take("a", atOnce), second = take("b", atOnce);
  EXPECT_TRUE(first && second);
}

TEST_F(GpuTurnTest, WithoutAFolderItGoesOnAndSaysSo) {
  const auto turn = GpuTurn::take("/no/such/folder", "a", atOnce, nothing);
  ASSERT_TRUE(turn);
  EXPECT_FALSE(turn->isHeld());
  EXPECT_NE(turn->note().find("/no/such/folder"), std::string::npos) << turn->note();
}

TEST_F(GpuTurnTest, WaitingTellsThePlaceAndItsEndNamesTheHolder) {
  const auto first = take("a", {});
  QueuePlace place;
  const auto second = GpuTurn::take(
      queue_, "a", {}, [&](int, const QueuePlace& now) { place = now; }, std::chrono::seconds(1));
  ASSERT_FALSE(second);
  EXPECT_EQ(place.place, 1U);
  EXPECT_EQ(place.waiting, 1U);
  ASSERT_TRUE(place.holder);
  EXPECT_EQ(place.holder->process, ::getpid());
  EXPECT_NE(second.error().message.find("process " + std::to_string(::getpid())), std::string::npos)
      << second.error().message;
}

TEST_F(GpuTurnTest, IsCancelledInTheMiddleOfALookAtVeryManyFiles) {
  for (int i = 0; i < 2000; ++i) std::ofstream(queue_ / std::to_string(i)) << "";
  bool isTold = false;
  const auto turn = take("a", atOnce, [&](int, const QueuePlace&) { isTold = true; });
  ASSERT_FALSE(turn);
  EXPECT_EQ(turn.error().message, "Cancelled.");
  EXPECT_FALSE(isTold);
  const auto late = GpuTurn::take(queue_, "a", {}, nothing, std::chrono::seconds(0));
  ASSERT_FALSE(late);
  EXPECT_NE(late.error().message.find("was not free for 0 s"), std::string::npos)
      << late.error().message;
  EXPECT_EQ(tickets(), 2000U);
}

TEST_F(GpuTurnTest, TheWaitIsToldInOneLine) {
  QueuePlace place{2, 3, TicketId{4'000'000'000U, 123, 1, 1}, false};
  EXPECT_EQ(waitingText("NVIDIA H200", 12, place),
            "waiting for the NVIDIA H200, 12 s: 2nd of 3 in the queue; 4000000000's process 123 "
            "uses it");
  place = {11, 11, {}, false};
  EXPECT_NE(waitingText("G", 0, place).find("11th of 11"), std::string::npos);
  place = {0, 9, {}, false};
  EXPECT_NE(waitingText("G", 0, place).find("you have 8 other requests"), std::string::npos);
}

// --- Many processes ----------------------------------------------------------------------------

/// Takes a turn again and again, and checks each time that nobody else has one; writes its name
/// into the log. The exit status: 0 where all is well.
int takeTurns(const fs::path& folder, char name, int turns) {
  for (int i = 0; i < turns; ++i) {
    const auto turn = GpuTurn::take(folder / "queue", "a", {}, nothing);
    if (!turn || !turn->isHeld()) return 1;
    const std::string inside = folder / "inside";
    const int file = ::open(inside.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file < 0) return 2;
    ::close(file);
    const int log = ::open((folder / "log").c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (::write(log, &name, 1) != 1) return 3;
    ::close(log);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ::unlink(inside.c_str());
  }
  return 0;
}

class ManyProcesses : public GpuTurnTest {
 protected:
  ManyProcesses() {
    std::ofstream(folder_ / "log") << "";
    ::chmod((folder_ / "log").c_str(), 0666);
    ::chmod(folder_.c_str(), 0777);
  }
  /// A process of the user, where that is not 0.
  template <class Work>
  void start(uid_t user, const Work& work) {
    const pid_t process = ::fork();
    if (process == 0) {
      if (user != 0 && ::setresuid(user, user, user) != 0) ::_exit(9);
      ::_exit(work());
    }
    processes_.push_back(process);
  }
  std::vector<int> statuses() {
    std::vector<int> all;
    for (const pid_t process : processes_) {
      int status = 0;
      ::waitpid(process, &status, 0);
      all.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : 255);
    }
    processes_.clear();
    return all;
  }
  [[nodiscard]] std::string log() const {
    std::ostringstream text;
    text << std::ifstream(folder_ / "log").rdbuf();
    return text.str();
  }
  [[nodiscard]] size_t waiting() const {
    const auto state = GpuTickets(queue_, "a").look();
    return state ? queueOrder(*state).size() : 0;
  }

  std::vector<pid_t> processes_;
};

TEST_F(ManyProcesses, HaveTheGpuForThemselvesOneAfterTheOther) {
  constexpr int kProcesses = 12, kTurns = 6;  // More than have a place at a time.
  for (int i = 0; i < kProcesses; ++i)
    start(0, [&] { return takeTurns(folder_, static_cast<char>('a' + i), kTurns); });
  EXPECT_EQ(statuses(), std::vector<int>(kProcesses, 0));
  EXPECT_EQ(log().size(), size_t{kProcesses * kTurns});
  EXPECT_EQ(tickets(), 0U);
}

TEST_F(ManyProcesses, OfOneUserDoNotKeepAnotherWaiting) {
  if (::geteuid() != 0) GTEST_SKIP() << support::because(support::kNotRoot);
  auto held = take("a", {});
  ASSERT_TRUE(held && held->isHeld());
  for (int i = 0; i < 6; ++i) start(12001, [&] { return takeTurns(folder_, 'a', 4); });
  while (waiting() < 6) std::this_thread::yield();
  start(12002, [&] { return takeTurns(folder_, 'b', 4); });
  while (waiting() < 7) std::this_thread::yield();
  start(12003, [&] { return takeTurns(folder_, 'c', 4); });
  while (waiting() < 8) std::this_thread::yield();
  *held = GpuTurn();
  EXPECT_EQ(statuses(), std::vector<int>(8, 0));
  const std::string order = log();
  ASSERT_EQ(order.size(), 32U);
  EXPECT_EQ(order.substr(0, 3), "abc") << order;
}

/// A process that holds a turn, or waits for one, until it is killed.
TEST_F(ManyProcesses, ThatAreKilledFreeTheirPlaces) {
  const auto forEver = [&] {
    const auto turn = take("a", {});
    while (turn) ::pause();
    return 1;
  };
  const auto isHeld = [&] {
    const auto state = GpuTickets(queue_, "a").look();
    return state && std::ranges::any_of(state->tickets,
                                        [](const Ticket& t) { return t.claimedNs.has_value(); });
  };
  start(0, forEver);
  while (!isHeld()) std::this_thread::yield();
  start(0, forEver);
  while (waiting() < 1) std::this_thread::yield();
  for (const pid_t process : {processes_[1], processes_[0]}) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  processes_.clear();
  const auto turn = take("a", atOnce);
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_TRUE(turn->isHeld());
}

TEST_F(ManyProcesses, OfAnotherUserCannotBlockItWithWhatTheyPlant) {
  if (::geteuid() != 0) GTEST_SKIP() << support::because(support::kNotRoot);
  const TicketId own = GpuTickets(queue_, "a").newId().value();
  start(12001, [&] {
    const auto pathOf = [&](TicketName::Kind kind, int32_t process, uint64_t start, uint64_t n) {
      return (queue_ / textOf({kind, process, start, n}, "a")).string();
    };
    // Claims in the names of others: of this test, and of a process that ended; a pipe; a link.
    std::ofstream(pathOf(TicketName::Kind::turn, own.process, own.start, 1)) << "";
    std::ofstream(pathOf(TicketName::Kind::turn, 1, 0, 2)) << "";
    const auto self = processFacts(::getpid());
    if (!self) return 1;
    ::mkfifo(pathOf(TicketName::Kind::turn, ::getpid(), self->start, 3).c_str(), 0666);
    fs::create_symlink("/dev/zero", pathOf(TicketName::Kind::turn, ::getpid(), self->start, 4));
    std::ofstream(queue_ / "tilestep-a.lock") << "";
    return fs::exists(queue_ / "tilestep-a.lock") ? 0 : 2;
  });
  ASSERT_EQ(statuses(), std::vector<int>{0});
  const auto turn = take("a", atOnce);
  ASSERT_TRUE(turn) << turn.error().message;
  EXPECT_TRUE(turn->isHeld());
  EXPECT_EQ(turn->note(), "");
}

}  // namespace gpu_turn_test
}  // namespace tilestep::lab
