// SPDX-License-Identifier: Apache-2.0
// What is believed of the files in a folder that everybody writes to.
#include "lab/devices/gpu_tickets.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/own_process.h"
#include "support/skips.h"

namespace tilestep::lab {
namespace gpu_tickets_test {

const support::OwnProcess ownProcess{"GpuTicketsTest"};

namespace fs = std::filesystem;

const std::string kGpu = "0000:3b:00";
using Kind = TicketName::Kind;

TEST(TicketNames, SayWhatTheyWereMadeOf) {
  for (const Kind kind : {Kind::wait, Kind::turn, Kind::last}) {
    const TicketName name{kind, 123, 456789, 0x0123456789abcdefULL};
    EXPECT_EQ(ticketNameOf(textOf(name, kGpu), kGpu), name);
    EXPECT_FALSE(ticketNameOf(textOf(name, kGpu), "0000:3b:01")) << "another GPU's";
  }
}

TEST(TicketNames, OtherFilesAreNotTickets) {
  const std::string good = "tilestep-0000:3b:00-123-456-0123456789abcdef.wait";
  ASSERT_TRUE(ticketNameOf(good, kGpu));
  for (const char* text :
       {"", "tilestep-0000:3b:00-", "tilestep-0000:3b:00.lock",
        "tilestep-0000:3b:00-123-456-0123456789abcdef", "tilestep-0000:3b:00-123-456-.wait",
        "tilestep-0000:3b:00-0-456-0123456789abcdef.wait",
        "tilestep-0000:3b:00--1-456-0123456789abcdef.wait",
        "tilestep-0000:3b:00-0123-456-0123456789abcdef.wait",
        "tilestep-0000:3b:00-99999999999-456-0123456789abcdef.wait",
        "tilestep-0000:3b:00-123-456-0123456789abcdef.wait.wait",
        "tilestep-0000:3b:00-123-0456-0123456789abcdef.wait",
        "tilestep-0000:3b:00-123-456-123456789abcdef.wait",
        "tilestep-0000:3b:00-123-456-0123456789ABCDEF.wait",
        "tilestep-0000:3b:00-123-456-0123456789abcdef0.wait",
        "tilestep-0000:3b:00-123-456-0123456789abcdef.more"}) {
    EXPECT_FALSE(ticketNameOf(text, kGpu)) << text;
  }
}

TEST(TicketFiles, AreBelievedOfTheirOwnersLivingProcessAlone) {
  const TicketName name{Kind::wait, 123, 456, 1};
  const TicketFile file{1000, true, 1};
  EXPECT_TRUE(isBelieved(name, file, ProcessFacts{1000, 456}));
  EXPECT_FALSE(isBelieved(name, file, std::nullopt)) << "it has ended";
  EXPECT_FALSE(isBelieved(name, file, ProcessFacts{1000, 457})) << "a later one of this number";
  EXPECT_FALSE(isBelieved(name, file, ProcessFacts{1001, 456})) << "another user's process";
  EXPECT_FALSE(isBelieved(name, {1000, false, 1}, ProcessFacts{1000, 456})) << "a link or a pipe";
  EXPECT_FALSE(isBelieved(name, {1000, true, 2}, ProcessFacts{1000, 456}))
      << "another name for somebody's file";
}

class GpuTicketsTest : public testing::Test {
 protected:
  GpuTicketsTest() {
    std::string pattern = testing::TempDir() + "tilestep-tickets-XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  ~GpuTicketsTest() override { fs::remove_all(folder_); }
  [[nodiscard]] GpuTickets tickets() const { return {folder_, kGpu}; }
  [[nodiscard]] std::string pathOf(const TicketId& id, Kind kind) const {
    return (folder_ / textOf({kind, id.process, id.start, id.number}, kGpu)).string();
  }
  [[nodiscard]] size_t files() const {
    return static_cast<size_t>(
        std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  [[nodiscard]] size_t seen() const {
    const Result<QueueState> state = tickets().look();
    EXPECT_TRUE(state) << state.error().message;
    return state ? state->tickets.size() : 0;
  }

  fs::path folder_;
};

TEST_F(GpuTicketsTest, ARequestIsSeenAsItGoesThroughTheQueue) {
  GpuTickets own = tickets();
  const TicketId id = own.newId().value();
  EXPECT_EQ(id.process, ::getpid());
  ASSERT_TRUE(own.enter(id));
  ASSERT_EQ(seen(), 1U);
  QueueState state = tickets().look().value();
  EXPECT_EQ(state.tickets[0].id, id);
  EXPECT_TRUE(state.tickets[0].waitsSinceNs);
  EXPECT_FALSE(state.tickets[0].claimedNs);
  ASSERT_TRUE(own.claim(id));
  state = tickets().look().value();
  ASSERT_EQ(state.tickets.size(), 1U);
  EXPECT_TRUE(state.tickets[0].claimedNs);
  EXPECT_GE(*state.tickets[0].claimedNs, *state.tickets[0].waitsSinceNs);
  own.leave(id, true);
  state = tickets().look().value();
  EXPECT_TRUE(state.tickets.empty());
  EXPECT_TRUE(state.lastTurns.contains(::geteuid()));
}

TEST_F(GpuTicketsTest, ManyTurnsLeaveOneMark) {
  int64_t before = 0;
  for (int i = 0; i < 3; ++i) {
    GpuTickets own = tickets();
    const TicketId id = own.newId().value();
    ASSERT_TRUE(own.look());
    ASSERT_TRUE(own.enter(id));
    own.leave(id, true);
    const int64_t last = tickets().look().value().lastTurns.at(::geteuid());
    EXPECT_GE(last, before);
    before = last;
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(GpuTicketsTest, TheTimeOfAnOldFileCannotBePretended) {
  GpuTickets own = tickets();
  const TicketId id = own.newId().value();
  ASSERT_TRUE(own.enter(id));
  const int64_t since = *tickets().look().value().tickets.at(0).waitsSinceNs;
  const timespec longAgo[2] = {{1, 0}, {1, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, pathOf(id, Kind::wait).c_str(), longAgo, 0), 0);
  EXPECT_GE(*tickets().look().value().tickets.at(0).waitsSinceNs, since);
}

TEST_F(GpuTicketsTest, LinksPipesAndFoldersAreNoTickets) {
  GpuTickets own = tickets();
  const TicketId id = own.newId().value();
  const std::string path = pathOf(id, Kind::turn), other = (folder_ / "other").string();
  std::ofstream(other) << "x";
  ASSERT_EQ(::mkfifo(path.c_str(), 0644), 0);
  EXPECT_EQ(seen(), 0U);
  fs::remove(path);
  fs::create_symlink(other, path);
  EXPECT_EQ(seen(), 0U);
  fs::remove(path);
  fs::create_hard_link(other, path);
  EXPECT_EQ(seen(), 0U);
  fs::remove(path);
  fs::create_directory(path);
  EXPECT_EQ(seen(), 0U);
  EXPECT_TRUE(fs::exists(other));
}

TEST_F(GpuTicketsTest, WhatAKilledProcessLeftIsNotSeenAndIsRemoved) {
  GpuTickets own = tickets();
  TicketId id = own.newId().value();
  id.start -= 1;  // The process that had this number before.
  std::ofstream(pathOf(id, Kind::wait)) << "";
  std::ofstream(pathOf(id, Kind::turn)) << "";
  EXPECT_EQ(seen(), 0U);
  EXPECT_EQ(files(), 0U);
}

TEST_F(GpuTicketsTest, AnotherUsersFileIsNoTicketOfThisProcess) {
  if (::geteuid() != 0) GTEST_SKIP() << support::because(support::kNotRoot);
  GpuTickets own = tickets();
  const TicketId id = own.newId().value();
  const std::string path = pathOf(id, Kind::turn);
  std::ofstream(path) << "";
  ASSERT_EQ(seen(), 1U);
  ASSERT_EQ(::chown(path.c_str(), 12345, 12345), 0);
  EXPECT_EQ(seen(), 0U);
  EXPECT_TRUE(fs::exists(path)) << "it is not ours to remove";
}

TEST_F(GpuTicketsTest, OfVeryManyRequestsOfOneUserALookKeepsAFew) {
  GpuTickets own = tickets();
  TicketId many = own.newId().value();
  for (int i = 0; i < 5000; ++i) {
    many.number = static_cast<uint64_t>(i);
    std::ofstream(pathOf(many, i % 2 == 0 ? Kind::wait : Kind::turn)) << "";
  }
  EXPECT_EQ(seen(), 2 * kMostTickets);
  const TicketId late = own.newId().value();
  ASSERT_TRUE(own.enter(late));
  const auto isSeen = [&] {
    const QueueState state = own.look().value();
    return std::ranges::any_of(state.tickets, [&](const Ticket& t) { return t.id == late; });
  };
  EXPECT_TRUE(isSeen()) << "whoever asks is there";
  EXPECT_EQ(seen(), 2 * kMostTickets);
  ASSERT_TRUE(own.claim(late));
  EXPECT_TRUE(isSeen());
}

TEST_F(GpuTicketsTest, VeryManyRequestsOfOneUserPushOutNobodyElses) {
  if (::geteuid() != 0) GTEST_SKIP() << support::because(support::kNotRoot);
  constexpr uid_t kOther = 12345;
  const pid_t process = ::fork();
  if (process == 0) {
    const bool isOther = ::setresuid(kOther, kOther, kOther) == 0;
    while (isOther) ::pause();
    ::_exit(1);
  }
  auto facts = processFacts(process);
  for (; facts && facts->user != kOther; facts = processFacts(process)) std::this_thread::yield();
  ASSERT_TRUE(facts);
  for (uint64_t i = 0; i < 3000; ++i) {
    const std::string path = pathOf({kOther, process, facts->start, i}, Kind::wait);
    std::ofstream(path) << "";
    ASSERT_EQ(::chown(path.c_str(), kOther, kOther), 0);
  }
  GpuTickets own = tickets();
  const TicketId id = own.newId().value();
  std::ofstream(pathOf(id, Kind::wait)) << "";
  const QueueState state = own.look().value();
  ::kill(process, SIGKILL);
  ::waitpid(process, nullptr, 0);
  EXPECT_EQ(state.tickets.size(), kMostTickets + 1);
  EXPECT_EQ(std::ranges::count(state.tickets, id, &Ticket::id), 1);
}

TEST_F(GpuTicketsTest, ALookAtVeryManyFilesCanBeStoppedAndEndsInAnError) {
  for (int i = 0; i < 2000; ++i) std::ofstream(folder_ / std::to_string(i)) << "";
  EXPECT_TRUE(GpuTickets(folder_, kGpu, 10).look()) << "they are no files of the queue";
  int asked = 0;
  EXPECT_FALSE(tickets().look([&] { return ++asked == 2; }));
  EXPECT_EQ(asked, 2);
  for (uint64_t i = 0; i < 11; ++i) std::ofstream(pathOf({0, ::getpid(), 1, i}, Kind::last)) << "";
  EXPECT_TRUE(GpuTickets(folder_, kGpu, 11).look());
  const Result<QueueState> state = GpuTickets(folder_, kGpu, 10).look();
  ASSERT_FALSE(state);
  EXPECT_NE(state.error().message.find("more than 10 files"), std::string::npos)
      << state.error().message;
}

TEST_F(GpuTicketsTest, AFolderInWhichAnybodyRemovesFilesIsRefused) {
  ASSERT_EQ(::chmod(folder_.c_str(), 0777), 0);
  const Result<QueueState> state = tickets().look();
  ASSERT_FALSE(state);
  EXPECT_NE(state.error().message.find("anybody may remove"), std::string::npos)
      << state.error().message;
  ASSERT_EQ(::chmod(folder_.c_str(), 01777), 0);
  EXPECT_TRUE(tickets().look());
  EXPECT_FALSE(GpuTickets("/no/such/folder", kGpu).look());
}

}  // namespace gpu_tickets_test
}  // namespace tilestep::lab
