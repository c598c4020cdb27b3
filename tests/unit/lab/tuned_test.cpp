// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuned.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <thread>
#include <vector>

#include "base/files.h"
#include "base/hash.h"

namespace tilestep::lab {
namespace tuned_test {

namespace fs = std::filesystem;

class TunedTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("tilestep-tuned-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    spec_.name = "product";
    spec_.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    compile::TunableSpec tile;
    tile.name = "TILE";
    tile.values = {8, 16, 32};
    compile::TunableSpec rows;
    rows.name = "ROWS";
    rows.minimum = 1;
    rows.maximum = 64;
    spec_.tunables = {tile, rows};
  }
  void TearDown() override { fs::remove_all(folder_); }

  static Tuned tuned(int64_t side, int64_t tile) {
    return {"product",
            7,
            "Some GPU",
            {{"m", side}, {"n", side}, {"k", side}},
            {{"TILE", tile}, {"ROWS", 4}},
            0.1 * static_cast<double>(side),
            12,
            40,
            "2026-11-21"};
  }
  std::optional<Tuned> find(int64_t side, const std::vector<fs::path>& folders, uint64_t code = 7,
                            const std::string& device = "Some GPU") {
    KnownTuned found =
        tunedFor(spec_, code, device, {{"m", side}, {"n", side}, {"k", side}}, folders);
    EXPECT_EQ(found.damage, "");
    return found.best;
  }

  fs::path folder_;
  compile::KernelSpec spec_;
};

TEST_F(TunedTest, WhatIsKeptIsFound) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 16)).ok());
  EXPECT_TRUE(fs::exists(folder_ / "some-gpu.csv"));
  EXPECT_EQ(find(1024, {folder_}), tuned(1024, 16));
  EXPECT_EQ(find(1024, {folder_}, 8), std::nullopt) << "the kernel has changed";
  EXPECT_EQ(find(1024, {folder_}, 7, "Another GPU"), std::nullopt);
  EXPECT_EQ(find(1024, {folder_ / "none"}), std::nullopt);
}

TEST_F(TunedTest, TheNewestOfTheSameSizesStaysAlone) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 16)).ok());
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(2048, 32)).ok());
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 8)).ok());
  EXPECT_EQ(find(1024, {folder_})->tunables.at("TILE"), 8);
  const auto all = parseTuned("f", readTextFile(folder_ / "some-gpu.csv").value());
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), 2U);
}

TEST_F(TunedTest, TenThatAreKeptAtOnceAreAllThere) {
  constexpr int64_t kWriters = 10, kSizes = 8;
  std::vector<std::thread> writers;
  for (int64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      for (int64_t i = 1; i <= kSizes; ++i)
        // Where a disk is slow, the others may have the file for longer than one waits.
        while (!keepTuned(folder_, spec_, tuned(writer * 100 + i, 16))) continue;
    });
  }
  for (std::thread& writer : writers) writer.join();
  const auto all = parseTuned("f", readTextFile(folder_ / "some-gpu.csv").value());
  ASSERT_TRUE(all.ok());
  EXPECT_EQ(all->size(), size_t{kWriters * kSizes}) << "what was not kept was said";
}

TEST_F(TunedTest, ASlowerOneOfTheSameSizesDoesNotReplaceIt) {
  const Tuned fast = tuned(1024, 16);
  Tuned slow = tuned(1024, 8);
  slow.medianMs *= 1.01;
  ASSERT_TRUE(keepTuned(folder_, spec_, fast).ok());
  const auto kept = keepTuned(folder_, spec_, slow);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->older, fast) << "it tells which one stays";
  EXPECT_EQ(find(1024, {folder_}), fast);
  slow.code = 8;
  const auto changed = keepTuned(folder_, spec_, slow);
  ASSERT_TRUE(changed.ok());
  EXPECT_EQ(changed->older, std::nullopt)
      << "the kernel has changed: times of another code do not count";
  EXPECT_EQ(find(1024, {folder_}, 8), slow);
}

TEST_F(TunedTest, ElseTheNearestSizesAndSaysWhich) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(512, 8)).ok());
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(4096, 32)).ok());
  EXPECT_EQ(find(600, {folder_})->sizes.at("m"), 512);
  EXPECT_EQ(find(2000, {folder_})->sizes.at("m"), 4096) << "by doublings";
  const KnownTuned wide = tunedFor(spec_, 7, "Some GPU", {{"n", 2048}}, {folder_});
  ASSERT_TRUE(wide.best);
  EXPECT_EQ(wide.best->sizes.at("k"), 512) << "sizes that are not named are the defaults";
}

TEST_F(TunedTest, TheFirstOfTwoFoldersWins) {
  ASSERT_TRUE(keepTuned(folder_ / "own", spec_, tuned(1024, 16)).ok());
  ASSERT_TRUE(keepTuned(folder_ / "shipped", spec_, tuned(1024, 32)).ok());
  ASSERT_TRUE(keepTuned(folder_ / "shipped", spec_, tuned(2048, 8)).ok());
  const std::vector<fs::path> folders{folder_ / "own", folder_ / "shipped"};
  EXPECT_EQ(find(1024, folders)->tunables.at("TILE"), 16);
  EXPECT_EQ(find(2048, folders)->tunables.at("TILE"), 8)
      << "exact sizes before an own that is near";
}

TEST_F(TunedTest, ValuesThatTheKernelDoesNotTakeArePassedOver) {
  Tuned odd = tuned(1024, 16);
  odd.tunables["TILE"] = 17;
  ASSERT_TRUE(keepTuned(folder_, spec_, odd).ok());
  EXPECT_EQ(find(1024, {folder_}), std::nullopt);
  odd.tunables = {{"TILE", 16}, {"COLS", 4}};
  odd.sizes["m"] = 2048;
  ASSERT_TRUE(keepTuned(folder_, spec_, odd).ok());
  EXPECT_EQ(find(2048, {folder_}), std::nullopt);
}

TEST_F(TunedTest, AnIllegalFasterChoiceIsReplaced) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 17)).ok());
  Tuned slower = tuned(1024, 16);
  slower.medianMs *= 2;
  const auto kept = keepTuned(folder_, spec_, slower);
  ASSERT_TRUE(kept.ok());
  EXPECT_EQ(kept->older, std::nullopt);
  EXPECT_EQ(find(1024, {folder_}), slower);
}

TEST_F(TunedTest, EveryChangedByteIsNoticed) {
  const std::string text = tunedText({tuned(1024, 16), tuned(2048, 32)});
  ASSERT_TRUE(parseTuned("f", text).ok());
  for (size_t i = 0; i < text.size(); ++i) {
    for (const char c : {'0', 'x', '"', '\n', ',', '\0'}) {
      std::string changed = text;
      if (changed[i] == c) continue;
      changed[i] = c;
      EXPECT_FALSE(parseTuned("f", changed).ok()) << "byte " << i << " as " << int{c};
    }
  }
  for (size_t size = 0; size < text.size(); ++size) {
    const bool whole = size > 0 && text[size - 1] == '\n';
    EXPECT_EQ(parseTuned("f", text.substr(0, size)).ok(), whole) << size;
  }
}

TEST_F(TunedTest, RandomTextIsRefusedAndNothingBreaks) {
  const std::string text = tunedText({tuned(1024, 16), tuned(2048, 32), tuned(4096, 8)});
  for (uint64_t round = 0; round < 3000; ++round) {
    std::string changed = text;
    uint64_t state = round;
    const auto next = [&] { return state = splitmix64(state); };
    for (uint64_t edits = next() % 8 + 1; edits > 0; --edits) {
      const size_t at = next() % (changed.size() + 1), count = next() % 40;
      if (next() % 2 == 0)
        changed.erase(std::min(at, changed.size()), count);
      else
        changed.insert(at, text.substr(next() % text.size(), count));
    }
    const auto read = parseTuned("f", changed);
    if (!read) continue;
    for (const Tuned& one : *read)
      EXPECT_EQ(one, tuned(one.sizes.at("m"), one.tunables.at("TILE")));
  }
}

TEST_F(TunedTest, ADamagedFileIsLeftAloneAndSaid) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 16)).ok());
  std::ofstream(folder_ / "some-gpu.csv", std::ios::app) << "notes\n";
  const std::string text = readTextFile(folder_ / "some-gpu.csv").value();
  const KnownTuned found = tunedFor(spec_, 7, "Some GPU", {}, {folder_});
  EXPECT_FALSE(found.best);
  EXPECT_NE(found.damage.find("some-gpu.csv, line 3"), std::string::npos) << found.damage;
  EXPECT_FALSE(keepTuned(folder_, spec_, tuned(2048, 16)).ok());
  EXPECT_EQ(readTextFile(folder_ / "some-gpu.csv").value(), text);
}

TEST_F(TunedTest, PastADamagedFileTheOtherFoldersServes) {
  ASSERT_TRUE(keepTuned(folder_ / "shipped", spec_, tuned(1024, 32)).ok());
  fs::create_directories(folder_ / "own");
  std::ofstream(folder_ / "own" / "some-gpu.csv") << "notes\n";
  const KnownTuned found =
      tunedFor(spec_, 7, "Some GPU", {}, {folder_ / "own", folder_ / "shipped"});
  EXPECT_EQ(found.best, tuned(1024, 32));
  EXPECT_NE(found.damage.find("some-gpu.csv, line 1"), std::string::npos) << found.damage;
}

TEST_F(TunedTest, FilesOfOtherDevicesAreNotOpened) {
  for (int i = 0; i < 300; ++i) {
    fs::create_directories(folder_);
    std::ofstream(folder_ / ("a" + std::to_string(i) + ".csv")) << "notes\n";
  }
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 16)).ok());
  EXPECT_EQ(find(1024, {folder_}), tuned(1024, 16));
  fs::create_directories(folder_ / "folder" / "some-gpu.csv");
  EXPECT_NE(tunedFor(spec_, 7, "Some GPU", {}, {folder_ / "folder"}).damage, "");
}

TEST_F(TunedTest, AFullFileStaysReadable) {
  std::vector<Tuned> all;
  for (int64_t side = 1; side <= 20000; ++side) all.push_back(tuned(side, 16));
  fs::create_directories(folder_);
  const fs::path file = folder_ / "some-gpu.csv";
  std::ofstream(file) << tunedText(all);
  const std::string text = readTextFile(file).value();
  const auto kept = keepTuned(folder_, spec_, tuned(20001, 16));
  ASSERT_FALSE(kept.ok());
  EXPECT_NE(kept.error().message.find("20,000"), std::string::npos) << kept.error().message;
  EXPECT_EQ(readTextFile(file).value(), text);
  EXPECT_TRUE(keepTuned(folder_, spec_, tuned(20000, 8)).ok()) << "in place of another";
  EXPECT_EQ(find(20000, {folder_})->tunables.at("TILE"), 8);
}

TEST_F(TunedTest, UnreadableValuesAreNotWritten) {
  ASSERT_TRUE(keepTuned(folder_, spec_, tuned(1024, 16)).ok());
  Tuned odd = tuned(2048, 16);
  for (const double ms : {0.0, 5e-324, 1e300}) {
    odd.medianMs = ms;
    EXPECT_FALSE(keepTuned(folder_, spec_, odd).ok()) << ms;
  }
  EXPECT_EQ(find(1024, {folder_}), tuned(1024, 16));
}

TEST_F(TunedTest, NothingIsWrittenWhereNoFolderCanBe) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "file") << "x";
  EXPECT_FALSE(keepTuned(folder_ / "file" / "tuned", spec_, tuned(1024, 16)).ok());
}

}  // namespace tuned_test
}  // namespace tilestep::lab
