// SPDX-License-Identifier: Apache-2.0
// The file of pinned runs: damage, other windows, and processes killed at any time.
#include "model/files/pins_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/files.h"
#include "support/own_process.h"
#include "support/results.h"
#include "support/service.h"
#include "unit/features/pins/pins_samples.h"

namespace tilestep::features::pins_file_test {

const support::OwnProcess ownProcess{"PinsFileTest"};

namespace fs = std::filesystem;

PinsPointer shared(Pins pins) {
  return std::make_shared<const Pins>(std::move(pins));
}

class PinsFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] std::vector<uint64_t> idsThere() const {
    PinsFile file(path);
    const PinsPointer pins = file.load();
    EXPECT_FALSE(file.notice()) << file.notice()->text;
    std::vector<uint64_t> ids;
    if (pins)
      for (const Pin& pin : pins->pins) ids.push_back(pin.id);
    return ids;
  }

  const support::TemporaryFolder folder{"pins"};
  const fs::path path = folder.path("state/runs.toml");
};

TEST_F(PinsFileTest, NextWindowHasThisWindowsPins) {
  PinsFile file(path);
  EXPECT_EQ(file.load(), nullptr);
  const PinsPointer pins = shared({{samplePin(1), countedPin(2)}, 2});
  ASSERT_TRUE(file.keep(pins));
  PinsFile next(path);
  ASSERT_TRUE(next.load());
  PinsFile again(path);
  EXPECT_EQ(*again.load(), *pins);
}

TEST_F(PinsFileTest, DamagedFileIsKeptAsideAndReportedWithItsLine) {
  ASSERT_TRUE(writeFileAtomically(path, "version = 1\n[[run]]\nid = 'x'\n"));
  PinsFile file(path);
  EXPECT_EQ(file.load(), nullptr);
  ASSERT_TRUE(file.notice());
  EXPECT_TRUE(has(file.notice()->text, "id must be sixteen hexadecimal digits"));
  EXPECT_TRUE(has(file.notice()->source, "runs.toml:3"));
  EXPECT_TRUE(fs::exists(path.parent_path() / "runs.damaged-1.toml"));
  ASSERT_TRUE(file.keep(shared({{samplePin(4)}, 0}))) << "the window continues";
  EXPECT_EQ(idsThere(), std::vector<uint64_t>{4});
}

TEST_F(PinsFileTest, TwoWindowsLoseNoPins) {
  PinsFile first(path), second(path);
  first.load();
  second.load();
  ASSERT_TRUE(first.keep(shared({{samplePin(1)}, 0})));
  ASSERT_TRUE(second.keep(shared({{samplePin(2)}, 0})));
  ASSERT_TRUE(first.keep(shared({{samplePin(1), samplePin(3)}, 0})));
  std::vector<uint64_t> ids = idsThere();
  std::ranges::sort(ids);
  EXPECT_EQ(ids, (std::vector<uint64_t>{1, 2, 3}));
  ASSERT_TRUE(first.keep(shared({{samplePin(3)}, 0})));  // Removes pin 1.
  ids = idsThere();
  std::ranges::sort(ids);
  EXPECT_EQ(ids, (std::vector<uint64_t>{2, 3}));
}

/// The pins with pin `id` renamed.
Pins renamed(Pins pins, uint64_t id, const std::string& name) {
  for (Pin& pin : pins.pins)
    if (pin.id == id) pin.name = name;
  return pins;
}

TEST_F(PinsFileTest, RemovedAndRenamedPinsStaySoWhenAnotherWindowPins) {
  Pins pins{{samplePin(1), samplePin(2), samplePin(3)}, 1};
  ASSERT_TRUE(PinsFile(path).keep(shared(pins)));
  PinsFile first(path), second(path);
  ASSERT_TRUE(first.load());
  ASSERT_TRUE(second.load());
  ASSERT_TRUE(first.keep(shared(renamed({{samplePin(2), samplePin(3)}, 3}, 2, "the new name"))));
  for (const uint64_t id : {4, 5, 6}) {
    pins.pins.push_back(
        samplePin(id));  // This window still shows pin 1, and the old name of pin 2.
    ASSERT_TRUE(second.keep(shared(pins)));
    EXPECT_EQ(idsThere().size(), id - 1);
    const PinsPointer there = PinsFile(path).load();
    ASSERT_TRUE(there);
    EXPECT_EQ(there->find(1), nullptr);
    ASSERT_TRUE(there->find(2));
    EXPECT_EQ(there->find(2)->name, "the new name");
    EXPECT_EQ(there->base, 3U);
  }
  pins = renamed(pins, 2, "a newer name");
  std::erase_if(pins.pins, [](const Pin& pin) { return pin.id == 3; });
  ASSERT_TRUE(second.keep(shared(pins)));
  const PinsPointer there = PinsFile(path).load();
  EXPECT_EQ(there->find(2)->name, "a newer name");
  EXPECT_EQ(there->find(3), nullptr);
  EXPECT_EQ(there->base, 0U);
}

TEST_F(PinsFileTest, NextSaveMakesUpForAFailedOne) {
  PinsFile file(path);
  ASSERT_TRUE(file.keep(shared({{samplePin(1), samplePin(2)}, 0})));
  const fs::path aside = folder.path("aside");
  fs::rename(path.parent_path(), aside);
  ASSERT_TRUE(writeFileAtomically(path.parent_path(), "a file where the folder should be"));
  EXPECT_TRUE(fails(file.keep(shared({{samplePin(2), samplePin(3)}, 0})), "runs.toml"));
  fs::remove(path.parent_path());
  fs::rename(aside, path.parent_path());
  ASSERT_TRUE(file.keep(shared({{samplePin(2), samplePin(3), samplePin(4)}, 0})));
  EXPECT_EQ(idsThere(), (std::vector<uint64_t>{2, 3, 4}));
}

TEST_F(PinsFileTest, MissingFileRemovesNoPins) {
  PinsFile file(path);
  ASSERT_TRUE(file.keep(shared({{samplePin(1)}, 0})));
  fs::remove(path);
  ASSERT_TRUE(file.keep(shared({{samplePin(1), samplePin(2)}, 0})));
  EXPECT_EQ(idsThere(), (std::vector<uint64_t>{1, 2}));
}

TEST_F(PinsFileTest, TooManyPinsOfTwoWindowsAreReportedAndNoneIsLost) {
  PinsFile first(path), second(path);
  Pins ours, theirs;
  for (uint64_t id = 1; id <= 40; ++id) {
    ours.pins.push_back(samplePin(id));
    theirs.pins.push_back(samplePin(100 + id));
  }
  ASSERT_TRUE(first.keep(shared(ours)));
  EXPECT_TRUE(
      fails(second.keep(shared(theirs)), "there are 80 pinned runs, but at most 64 can be kept"));
  EXPECT_EQ(idsThere().size(), 40U);
  theirs.pins.resize(24);
  ASSERT_TRUE(second.keep(shared(theirs)));
  EXPECT_EQ(idsThere().size(), 64U);
}

TEST_F(PinsFileTest, WithoutAPathNothingIsSaved) {
  PinsFile file("");
  EXPECT_EQ(file.load(), nullptr);
  EXPECT_FALSE(file.keeps());
  EXPECT_TRUE(file.keep(shared({{samplePin(1)}, 0})));
}

/// Pins one run after another and writes each id to `done` once it is saved. Never returns.
[[noreturn]] void pinForEver(const std::string& path, int done, uint64_t first) {
  PinsFile file(path);
  const PinsPointer before = file.load();
  Pins pins = before ? *before : Pins{};
  for (uint64_t id = first; pins.pins.size() < kMostPins; ++id) {
    pins.pins.push_back(samplePin(id));
    if (!file.keep(shared(pins))) ::_exit(1);
    if (::write(done, &id, sizeof id) != sizeof id) ::_exit(2);
  }
  ::_exit(0);
}

TEST_F(PinsFileTest, ProcessKilledAtAnyTimeLosesNoPins) {
  std::mt19937 chance(5);
  std::uniform_int_distribution<int> pause(0, 12'000);  // Microseconds, during the first writes.
  std::vector<uint64_t> kept;
  for (uint64_t round = 0; round < 30 && kept.size() + 8 < kMostPins; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) pinForEver(path, ends[1], 1000 * (round + 1));
    ::close(ends[1]);
    // The process pins at least one run, however slow the machine is.
    uint64_t first = 0;
    if (round == 0 && ::read(ends[0], &first, sizeof first) == sizeof first) kept.push_back(first);
    ::usleep(static_cast<useconds_t>(pause(chance)));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (uint64_t id = 0; ::read(ends[0], &id, sizeof id) == sizeof id;) kept.push_back(id);
    ::close(ends[0]);
    const std::vector<uint64_t> there = idsThere();
    for (const uint64_t id : kept)
      EXPECT_NE(std::ranges::find(there, id), there.end()) << "lost " << id << " in " << round;
    EXPECT_LE(there.size(), kept.size() + round + 1)
        << "one per round may be saved but not yet reported";
  }
  EXPECT_FALSE(kept.empty()) << "no run was pinned before the process was killed";
}

}  // namespace tilestep::features::pins_file_test
