// SPDX-License-Identifier: Apache-2.0
// The kept points of sweeps: several windows at once, failures, files of earlier versions.
#include "features/sweeps/sweep_store.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "lab/points/points_file.h"
#include "support/results.h"
#include "unit/features/sweeps/sweep_rows.h"

namespace tilestep::features::sweep_store_test {

namespace fs = std::filesystem;

/// A window's store.
class Store {
 public:
  explicit Store(const fs::path& folder) : points_(folder / "points.db", {}) {}

  /// Waits until the owner's points have been read.
  const SweepSample* find(const SweepOwner& owner, const SweepPoint& point) {
    for (int i = 0; i < 10000 && !store.isRead(owner); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(store.isRead(owner));
    return store.find(owner, point.key);
  }
  /// Waits until all changes so far have been written, and returns why that failed.
  std::optional<Error> trouble() {
    points_.ask<int>([](const lab::Database*) { return 0; }).wait();
    return points_.takeTrouble();
  }

 private:
  Points points_;

 public:
  SweepStore store{&points_};
};

class SweepStores : public ::testing::Test {
 protected:
  SweepStores()
      : folder(fs::path(::testing::TempDir()) / ("sweep-stores-" + std::to_string(::getpid()))) {
    fs::remove_all(folder);
    fs::create_directories(folder / "sweeps");
    owner = {"matmul_tiled", 0x0123456789abcdefULL, "NVIDIA H200", "nvrtc 13.0"};
    timed.time = timeOf(0.0333, 0.0331, 0.0345);
    timed.when = "2026-11-21";
    timed.by = "nvrtc 13.0, driver \"580\", CUDA 13.0";
    counted.counts = someCounts();
  }
  ~SweepStores() override { fs::remove_all(folder); }
  static SweepPoint point(int64_t width) {
    SweepPoint one;
    one.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    one.tunables = {{"TILE_WIDTH", width}};
    one.launch = 42;
    one.key = sweepKey(0x0123456789abcdefULL, one.launch, valuesOf(one));
    return one;
  }

  [[nodiscard]] fs::path earlier() const {
    return folder / "sweeps" / "matmul_tiled-0123456789abcdef-nvidia-h200.csv";
  }

  fs::path folder;
  SweepOwner owner;
  SweepSample timed, counted;
};

TEST_F(SweepStores, KeepPointsForTheNextRun) {
  {
    Store first(folder);
    for (const int64_t width : {8, 16, 32}) first.store.put(owner, point(width), timed);
    EXPECT_FALSE(first.trouble());
  }
  Store second(folder);
  const SweepSample* found = second.find(owner, point(16));
  ASSERT_TRUE(found != nullptr && found->time);
  EXPECT_EQ(found->time->medianMs, timed.time->medianMs);
  EXPECT_EQ(found->time->p90Ms, timed.time->p90Ms);
  EXPECT_EQ(found->time->repetitions, timed.time->repetitions);
  EXPECT_EQ(found->when, timed.when);
  EXPECT_EQ(found->by, timed.by);
  EXPECT_EQ(second.find(owner, point(24)), nullptr);
  second.store.drop(owner, {point(16)});
  EXPECT_EQ(second.find(owner, point(16)), nullptr);
  EXPECT_FALSE(second.trouble());
  Store third(folder);
  EXPECT_EQ(third.find(owner, point(16)), nullptr);
  EXPECT_NE(third.find(owner, point(8)), nullptr);
  EXPECT_TRUE(third.store.takeTrouble().empty());
}

TEST_F(SweepStores, PointsBelongToOneCodeDeviceCompilerAndArchitecture) {
  {
    Store first(folder);
    first.store.put(owner, point(8), timed);
  }
  Store second(folder);
  EXPECT_NE(second.find(owner, point(8)), nullptr);
  SweepOwner code = owner, device = owner, compiler = owner, arch = owner;
  code.code = 1;
  device.device = "NVIDIA T400";
  compiler.compiler = "clang 14.0.6";
  arch.arch = "compute_80";
  for (const SweepOwner& other : {code, device, compiler, arch})
    EXPECT_EQ(second.find(other, point(8)), nullptr);
}

TEST_F(SweepStores, TwoWindowsMergeTheirPoints) {
  Store first(folder), second(folder);
  EXPECT_EQ(first.find(owner, point(8)), nullptr);
  EXPECT_EQ(second.find(owner, point(8)), nullptr);
  first.store.put(owner, point(8), timed);
  first.store.put(owner, point(16), timed);
  EXPECT_FALSE(first.trouble());
  second.store.put(owner, point(8), counted);
  second.store.put(owner, point(24), timed);
  EXPECT_FALSE(second.trouble());
  first.store.drop(owner, {point(16)});
  EXPECT_FALSE(first.trouble());
  Store later(folder);
  const SweepSample* both = later.find(owner, point(8));
  ASSERT_NE(both, nullptr);
  EXPECT_TRUE(both->time) << "measured in the first window";
  EXPECT_EQ(both->counts, someCounts()) << "counted in the second window";
  EXPECT_EQ(later.find(owner, point(16)), nullptr);
  EXPECT_NE(later.find(owner, point(24)), nullptr);
}

TEST_F(SweepStores, ConcurrentWindowsLoseNoPoint) {
  constexpr int64_t kWriters = 10, kPoints = 12;
  std::vector<std::thread> writers;
  for (int64_t writer = 0; writer < kWriters; ++writer) {
    writers.emplace_back([&, writer] {
      Store window(folder);
      for (int64_t i = 0; i < kPoints; ++i) {
        const SweepPoint added = point(1 + writer * kPoints + i);
        window.store.put(owner, added, timed);
        if (i % 3 != 0) continue;  // Some points run again.
        window.store.drop(owner, {added});
        window.store.put(owner, added, timed);
      }
      EXPECT_FALSE(window.trouble());
    });
  }
  for (std::thread& writer : writers) writer.join();
  Store later(folder);
  for (int64_t i = 0; i < kWriters * kPoints; ++i)
    EXPECT_NE(later.find(owner, point(1 + i)), nullptr) << i;
}

TEST_F(SweepStores, AFailureIsReportedOnceAndPointsAreStillShown) {
  const fs::path file = folder / "points.db";
  fs::create_directories(file);  // A folder instead of a file.
  Store window(folder);
  window.store.put(owner, point(8), timed);
  const auto failed = window.trouble();
  ASSERT_TRUE(failed);
  EXPECT_TRUE(has(failed->message, "points.db"));
  window.store.put(owner, point(16), timed);
  EXPECT_FALSE(window.trouble());
  EXPECT_NE(window.find(owner, point(8)), nullptr);
  EXPECT_NE(window.find(owner, point(16)), nullptr);
}

TEST_F(SweepStores, InvalidRowsAreNotUsed) {
  {
    Store window(folder);
    window.store.put(owner, point(8), timed);
    window.store.put(owner, point(16), timed);
    EXPECT_FALSE(window.trouble());
  }
  for (const char* change :
       {"median_ms = 0", "p10_ms = 1e300", "repetitions = -5", "min_ms = 1", "launch = 'x'",
        "sizes_and_tunables = 'TILE_WIDTH'", "global_load_bytes = -1"}) {
    fs::copy_file(folder / "points.db", folder / "kept.db", fs::copy_options::overwrite_existing);
    {
      const auto file = lab::openPoints(folder / "points.db");
      ASSERT_TRUE(file && file->run(std::string("UPDATE points SET ") + change +
                                    " WHERE sizes_and_tunables LIKE '%TILE_WIDTH=8'"));
    }
    Store window(folder);
    EXPECT_EQ(window.find(owner, point(8)), nullptr) << change;
    EXPECT_NE(window.find(owner, point(16)), nullptr) << change;
    const std::vector<Error> trouble = window.store.takeTrouble();
    ASSERT_EQ(trouble.size(), 1U) << change;
    EXPECT_TRUE(has(trouble[0].message, "a point of matmul_tiled is not used"));
    fs::rename(folder / "kept.db", folder / "points.db");
  }
}

TEST_F(SweepStores, TheFileOfAnEarlierVersionIsImportedOnce) {
  ASSERT_TRUE(writeFileAtomically(earlier(), keptCsv()));
  {
    Store first(folder);
    ASSERT_NE(first.find(owner, point(16)), nullptr);
    EXPECT_EQ(first.find(owner, point(16))->counts, someCounts());
    EXPECT_EQ(first.find(owner, point(32))->reason, "it ended, with a comma");
    first.store.drop(owner, {point(16)});
  }
  Store second(folder);
  EXPECT_EQ(second.find(owner, point(16)), nullptr) << "it was removed after the import";
  EXPECT_NE(second.find(owner, point(8)), nullptr);
  EXPECT_TRUE(second.store.takeTrouble().empty());
  EXPECT_EQ(*readTextFile(earlier()), keptCsv());
}

TEST_F(SweepStores, PointsOfAnotherCompilerAreNotImported) {
  ASSERT_TRUE(writeFileAtomically(earlier(), keptCsv()));
  SweepOwner clang = owner;
  clang.compiler = "clang 14.0.6";
  Store window(folder);
  EXPECT_EQ(window.find(clang, point(8)), nullptr);
  EXPECT_NE(window.find(owner, point(8)), nullptr);
}

TEST_F(SweepStores, ADamagedFileOfAnEarlierVersionIsReported) {
  std::string text = keptCsv();
  text.replace(text.rfind("failed"), 6, "banana");
  ASSERT_TRUE(writeFileAtomically(earlier(), text));
  Store window(folder);
  EXPECT_EQ(window.find(owner, point(8)), nullptr);
  const std::vector<Error> trouble = window.store.takeTrouble();
  ASSERT_EQ(trouble.size(), 1U);
  EXPECT_TRUE(has(trouble[0].message, "line 4"));
  EXPECT_EQ(*readTextFile(earlier()), text);
}

}  // namespace tilestep::features::sweep_store_test
