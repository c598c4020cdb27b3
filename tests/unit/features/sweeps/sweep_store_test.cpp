// SPDX-License-Identifier: Apache-2.0
// What is kept of sweeps: several windows at once, damage, full disks, files of earlier versions.
#include "features/sweeps/sweep_store.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "base/process/file_lock.h"
#include "unit/features/sweeps/sweep_rows.h"

namespace tilestep::model {
namespace sweep_store_test {

namespace fs = std::filesystem;

/// A store in a folder of its own.
class SweepStores : public ::testing::Test {
 protected:
  SweepStores()
      : folder(fs::path(::testing::TempDir()) /
               ::testing::UnitTest::GetInstance()->current_test_info()->name()) {
    fs::remove_all(folder);
    owner = {"matmul_tiled", 0x0123456789abcdefULL, "cuda:0", "NVIDIA H200", kSizesAndTunables};
  }
  ~SweepStores() override { fs::remove_all(folder); }
  static SweepPoint point(int64_t width) {
    SweepPoint one;
    one.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    one.tunables = {{"TILE_WIDTH", width}};
    one.launch = 7;
    one.key = sweepKey(0x0123456789abcdefULL, one.launch, valuesOf(one));
    return one;
  }

  fs::path folder;
  SweepOwner owner;
};

TEST_F(SweepStores, KeepPointsForTheNextRun) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16, 32})
      EXPECT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  SweepStore store(folder);
  ASSERT_NE(store.find(owner, point(16).key), nullptr);
  EXPECT_EQ(*store.find(owner, point(16).key), row(16).sample);
  EXPECT_EQ(store.find(owner, point(24).key), nullptr);
  SweepOwner other = owner;
  other.code = 1;  // Another text of the kernel.
  EXPECT_EQ(store.find(other, point(16).key), nullptr);
  EXPECT_TRUE(store.drop(owner, {point(16).key}));
  SweepStore again(folder);
  EXPECT_EQ(again.find(owner, point(16).key), nullptr);
  EXPECT_NE(again.find(owner, point(8).key), nullptr);
  EXPECT_TRUE(again.takeTrouble().empty());
}

TEST_F(SweepStores, TimesAndCountsOfAPointComeTogether) {
  SweepStore store(folder);
  SweepSample counted;
  counted.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(store.put(owner, point(8), counted));
  SweepStore again(folder);
  EXPECT_TRUE(again.find(owner, point(8).key)->time);
  EXPECT_TRUE(again.find(owner, point(8).key)->counts);
}

TEST_F(SweepStores, RunningAgainInOneWindowKeepsWhatAnotherOneAdds) {
  SweepStore first(folder), second(folder);
  ASSERT_TRUE(first.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(first.put(owner, point(16), row(16).sample));
  ASSERT_NE(second.find(owner, point(8).key), nullptr);
  ASSERT_TRUE(second.put(owner, point(24), row(24).sample));
  ASSERT_TRUE(first.drop(owner, {point(8).key}));
  ASSERT_TRUE(second.put(owner, point(32), row(32).sample));
  EXPECT_NE(first.find(owner, point(24).key), nullptr) << "read when the points were dropped";
  ASSERT_TRUE(second.drop(owner, {point(16).key}));
  SweepStore later(folder);
  EXPECT_EQ(later.find(owner, point(8).key), nullptr);
  EXPECT_EQ(later.find(owner, point(16).key), nullptr);
  EXPECT_NE(later.find(owner, point(24).key), nullptr);
  EXPECT_NE(later.find(owner, point(32).key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, TwoWindowsThatBeginTheSameFileKeepBothPoints) {
  SweepStore first(folder), second(folder);
  EXPECT_EQ(first.find(owner, point(8).key), nullptr);
  EXPECT_EQ(second.find(owner, point(8).key), nullptr);
  SweepSample counted;
  counted.counts = SweepCounts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
  ASSERT_TRUE(first.put(owner, point(8), row(8).sample));
  ASSERT_TRUE(second.put(owner, point(8), counted));
  SweepStore later(folder);
  ASSERT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_TRUE(later.find(owner, point(8).key)->time) << "the first window's";
  EXPECT_TRUE(later.find(owner, point(8).key)->counts) << "the second one's";
}

/// Opening a pipe that nobody reads would block for ever.
TEST_F(SweepStores, APipeInTheFilesPlaceIsSaidAndNotOpened) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  const fs::path file = folder / owner.fileName();
  fs::remove(file);
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  const Status kept = store.put(owner, point(16), row(16).sample);
  ASSERT_FALSE(kept);
  EXPECT_NE(kept.error().message.find("it is a pipe"), std::string::npos) << kept.error().message;
  EXPECT_NE(store.find(owner, point(16).key), nullptr) << "it is still shown";
}

TEST_F(SweepStores, TenThatAddAndRunAgainAtOnceLoseNothing) {
  constexpr int64_t kWriters = 10, kPoints = 12;
  std::vector<std::thread> writers;
  std::atomic<int> failed{0};
  for (int64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      SweepStore store(folder);
      for (int64_t i = 0; i < kPoints; ++i) {
        const SweepPoint added = point(1 + writer * kPoints + i);
        if (!store.put(owner, added, row(8).sample)) ++failed;
        if (i % 3 != 0) continue;  // Again.
        if (!store.drop(owner, {added.key})) ++failed;
        if (!store.put(owner, added, row(8).sample)) ++failed;
      }
      // What another one's lock kept out of the file comes with the next point.
      while (!store.put(owner, point(1 + writer * kPoints), row(8).sample)) continue;
    });
  }
  for (std::thread& writer : writers) writer.join();
  SweepStore later(folder);
  for (int64_t i = 0; i < kWriters * kPoints; ++i)
    EXPECT_NE(later.find(owner, point(1 + i).key), nullptr) << i << ", " << failed << " failed";
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, AFileThatAnotherProgramKeepsLockedGetsThePointsLater) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  {
    const auto lock = FileLock::take(folder / owner.fileName(), std::chrono::seconds(0));
    ASSERT_TRUE(lock && lock->isHeld());
    const Status kept = store.put(owner, point(16), row(16).sample);
    ASSERT_FALSE(kept);
    EXPECT_NE(kept.error().message.find("not kept yet"), std::string::npos) << kept.error().message;
    EXPECT_NE(store.find(owner, point(16).key), nullptr);
  }
  ASSERT_TRUE(store.put(owner, point(32), row(32).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(16).key), nullptr);
  EXPECT_NE(later.find(owner, point(32).key), nullptr);
}

TEST_F(SweepStores, AFileThatWasRemovedIsBegunAgainWithItsHeader) {
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  fs::remove(folder / owner.fileName());
  ASSERT_TRUE(store.put(owner, point(16), row(16).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(16).key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, ADamagedFileIsSetAsideAndSaidOnce) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16})
      ASSERT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  const fs::path path = folder / owner.fileName();
  std::string text = readTextFile(path).value();
  text[text.size() - 60] ^= 1;
  ASSERT_TRUE(writeFileAtomically(path, text));
  SweepStore store(folder);
  EXPECT_EQ(store.find(owner, point(8).key), nullptr);
  const std::vector<Error> trouble = store.takeTrouble();
  ASSERT_EQ(trouble.size(), 1U);
  EXPECT_NE(trouble[0].message.find("line 3"), std::string::npos) << trouble[0].message;
  EXPECT_NE(trouble[0].message.find("damaged-1"), std::string::npos);
  EXPECT_TRUE(store.takeTrouble().empty());
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  EXPECT_TRUE(fs::exists(path));
  size_t files = 0;
  for (const auto& entry : fs::directory_iterator(folder)) files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 2U);  // The damaged one is kept.
}

TEST_F(SweepStores, ALineThatWasCutOffIsWrittenAnew) {
  {
    SweepStore store(folder);
    for (const int64_t width : {8, 16})
      ASSERT_TRUE(store.put(owner, point(width), row(width).sample));
  }
  const fs::path path = folder / owner.fileName();
  fs::resize_file(path, fs::file_size(path) - 9);
  {
    SweepStore store(folder);
    EXPECT_NE(store.find(owner, point(8).key), nullptr);
    EXPECT_EQ(store.find(owner, point(16).key), nullptr);
    ASSERT_TRUE(store.put(owner, point(32), row(32).sample));
  }
  SweepStore store(folder);
  EXPECT_NE(store.find(owner, point(8).key), nullptr);
  EXPECT_NE(store.find(owner, point(32).key), nullptr);
  EXPECT_TRUE(store.takeTrouble().empty());
}

TEST_F(SweepStores, AnUnwritableFolderIsReportedOnceAndKeepsThePoints) {
  fs::create_directories(folder);
  fs::create_symlink("/dev/full", folder / owner.fileName());  // A disk with no room.
  SweepStore store(folder / "not-a-folder");
  ASSERT_TRUE(writeFileAtomically(folder / "not-a-folder", "a file"));
  const Status first = store.put(owner, point(8), row(8).sample);
  ASSERT_FALSE(first);
  EXPECT_NE(first.error().message.find("no longer kept"), std::string::npos);
  EXPECT_TRUE(store.put(owner, point(16), row(16).sample));
  EXPECT_NE(store.find(owner, point(8).key), nullptr);
}

TEST_F(SweepStores, AFullDiskIsSaidInOneSentence) {
  ASSERT_TRUE(fs::exists("/dev/full"));
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  fs::remove(folder / owner.fileName());
  fs::create_symlink("/dev/full", folder / owner.fileName());
  const Status full = store.put(owner, point(16), row(16).sample);
  ASSERT_FALSE(full);
  EXPECT_NE(full.error().message.find("No space left"), std::string::npos) << full.error().message;
  EXPECT_TRUE(store.put(owner, point(32), row(32).sample));  // In memory, and not said again.
}

/// Front matter may gain or lose a tunable while the code stays the same.
TEST_F(SweepStores, EachSetOfTunablesHasAFileOfItsOwn) {
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  SweepPoint padded = point(8);
  padded.tunables["PAD"] = 1;
  padded.key = sweepKey(more.code, padded.launch, valuesOf(padded));
  for (int run = 0; run < 2; ++run) {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8 + run), row(8).sample));
    ASSERT_TRUE(store.put(more, padded, row(8).sample));
  }
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_NE(later.find(owner, point(9).key), nullptr);
  EXPECT_NE(later.find(more, padded.key), nullptr);
  EXPECT_TRUE(later.takeTrouble().empty());
}

TEST_F(SweepStores, TheFileOfAnEarlierVersionIsReadWhereItsColumnsFit) {
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  }
  const fs::path earlier = folder / owner.earlierFileName();
  fs::rename(folder / owner.fileName(), earlier);
  const std::string text = readTextFile(earlier).value();
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  for (const int64_t width : {16, 32}) {
    SweepStore store(folder);
    EXPECT_EQ(store.find(more, point(8).key), nullptr);
    EXPECT_NE(store.find(owner, point(8).key), nullptr);
    ASSERT_TRUE(store.put(owner, point(width), row(8).sample));
    EXPECT_TRUE(store.takeTrouble().empty());
  }
  EXPECT_EQ(readTextFile(earlier).value(), text);
  SweepStore later(folder);
  ASSERT_TRUE(later.drop(owner, {point(8).key}));
  SweepStore again(folder);
  EXPECT_EQ(again.find(owner, point(8).key), nullptr);
  EXPECT_NE(again.find(owner, point(16).key), nullptr);
}

/// Compilers make other accesses of one text, and so does another architecture.
TEST_F(SweepStores, EachCompilerAndArchitectureHasAFileOfItsOwn) {
  owner.compiler = "nvrtc 13.0";
  SweepOwner clang = owner, newer = owner;
  clang.compiler = "clang 14.0.6";
  newer.arch = "compute_80";
  SweepStore store(folder);
  ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  EXPECT_EQ(store.find(clang, point(8).key), nullptr);
  EXPECT_EQ(store.find(newer, point(8).key), nullptr);
  ASSERT_TRUE(store.put(clang, point(8), row(8).sample));
  SweepStore later(folder);
  EXPECT_NE(later.find(owner, point(8).key), nullptr);
  EXPECT_NE(later.find(clang, point(8).key), nullptr);
  EXPECT_EQ(later.find(newer, point(8).key), nullptr);
}

TEST_F(SweepStores, OfAnEarlierVersionsFileOnlyWhatThisCompilerMadeIsTaken) {
  SweepSample ofClang = row(8).sample;
  ofClang.by = "clang 14.0.6";
  SweepSample ofNvrtc = row(16).sample;
  ofNvrtc.by = "nvrtc 13.0, driver 580";
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), ofClang));
    ASSERT_TRUE(store.put(owner, point(16), ofNvrtc));
  }
  fs::rename(folder / owner.fileName(), folder / owner.earlierFileName());
  owner.compiler = "nvrtc 13.0";
  SweepStore store(folder);
  EXPECT_EQ(store.find(owner, point(8).key), nullptr);
  EXPECT_NE(store.find(owner, point(16).key), nullptr);
}

TEST_F(SweepStores, AFileWithOtherColumnsInItsPlaceIsSetAsideNotOverwritten) {
  SweepOwner more = owner;
  more.names.emplace_back("PAD");
  {
    SweepStore store(folder);
    ASSERT_TRUE(store.put(owner, point(8), row(8).sample));
  }
  fs::rename(folder / owner.fileName(), folder / more.fileName());
  SweepStore store(folder);
  EXPECT_EQ(store.find(more, point(8).key), nullptr);
  const std::vector<Error> trouble = store.takeTrouble();
  ASSERT_EQ(trouble.size(), 1U);
  EXPECT_NE(trouble[0].message.find("damaged-1"), std::string::npos) << trouble[0].message;
}

}  // namespace sweep_store_test
}  // namespace tilestep::model
