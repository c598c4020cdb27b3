// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tuned.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <vector>

#include "base/files.h"
#include "base/hash.h"
#include "lab/points/points_file.h"
#include "lab/sweep_file.h"
#include "support/results.h"

namespace tilestep::lab::tuned_test {

namespace fs = std::filesystem;

class TunedTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("tilestep-tuned-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "tuned");
    fs::create_directories(folder_ / "shipped");
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
  [[nodiscard]] Result<Database> open() const { return openPoints(pointsFileIn(folder_)); }
  [[nodiscard]] Result<std::optional<Tuned>> keep(const Tuned& one) const {
    const auto own = open();
    return own ? keepTuned(*own, spec_, one) : own.error();
  }
  [[nodiscard]] DeviceTuned known(const std::string& device = "Some GPU") const {
    const auto own = open();
    return readTuned(own ? &*own : nullptr, folder_ / "shipped", device);
  }
  [[nodiscard]] std::optional<Tuned> find(int64_t side, uint64_t code = 7) const {
    const DeviceTuned all = known();
    EXPECT_EQ(all.damage, "");
    return bestTuned(spec_, code, {{"m", side}, {"n", side}, {"k", side}}, all);
  }
  /// The file of an earlier version.
  static std::string csvOf(const std::vector<Tuned>& all) {
    std::string text =
        "format,kernel,code,device_name,sizes,tunables,median_ms,timed,legal,day,check\n";
    for (const Tuned& one : all)
      text += csvLine({"1", one.kernel, hex64(one.code), one.device, cellOf(one.sizes),
                       cellOf(one.tunables), std::to_string(one.medianMs),
                       std::to_string(one.timed), std::to_string(one.legal), one.day, "ignored"});
    return text;
  }

  fs::path folder_;
  compile::KernelSpec spec_;
};

TEST_F(TunedTest, AKeptChoiceIsFoundForItsKernelCodeAndDevice) {
  ASSERT_TRUE(keep(tuned(1024, 16)));
  EXPECT_EQ(find(1024), tuned(1024, 16));
  EXPECT_EQ(find(1024, 8), std::nullopt) << "the kernel has changed";
  EXPECT_TRUE(known("Another GPU").all.empty());
}

TEST_F(TunedTest, TheFasterOfTwoForTheSameSizesStays) {
  const Tuned fast = tuned(1024, 16);
  Tuned slow = tuned(1024, 8), faster = tuned(1024, 32);
  slow.medianMs *= 1.01;
  faster.medianMs *= 0.99;
  EXPECT_EQ(*keep(fast), std::nullopt);
  EXPECT_EQ(*keep(slow), fast);
  EXPECT_EQ(find(1024), fast);
  EXPECT_EQ(*keep(faster), std::nullopt);
  EXPECT_EQ(known().all, std::vector{faster});
  slow.code = 8;
  EXPECT_EQ(*keep(slow), std::nullopt) << "times of different code do not count";
}

TEST_F(TunedTest, AnIllegalChoiceIsIgnoredAndReplacedEvenIfFaster) {
  ASSERT_TRUE(keep(tuned(1024, 17)));
  EXPECT_EQ(find(1024), std::nullopt);
  Tuned slower = tuned(1024, 16);
  slower.medianMs *= 2;
  EXPECT_EQ(*keep(slower), std::nullopt);
  EXPECT_EQ(find(1024), slower);
  Tuned odd = tuned(2048, 16);
  odd.tunables = {{"TILE", 16}, {"COLS", 4}};
  ASSERT_TRUE(keep(odd));
  EXPECT_EQ(find(2048), slower);
}

TEST_F(TunedTest, TheNearestSizesAreFoundByDoublings) {
  ASSERT_TRUE(keep(tuned(512, 8)));
  ASSERT_TRUE(keep(tuned(4096, 32)));
  EXPECT_EQ(find(600)->sizes.at("m"), 512);
  EXPECT_EQ(find(2000)->sizes.at("m"), 4096);
  const auto wide = bestTuned(spec_, 7, {{"n", 2048}}, known());
  ASSERT_TRUE(wide);
  EXPECT_EQ(wide->sizes.at("k"), 512) << "missing sizes are the defaults";
}

TEST_F(TunedTest, TheUsersOwnComeBeforeTheShippedOnes) {
  ASSERT_TRUE(keep(tuned(1024, 16)));
  std::ofstream(folder_ / "shipped" / "some-gpu.csv") << csvOf({tuned(1024, 32), tuned(2048, 8)});
  EXPECT_EQ(find(1024)->tunables.at("TILE"), 16);
  EXPECT_EQ(find(2048)->tunables.at("TILE"), 8) << "equal sizes come before near ones";
}

TEST_F(TunedTest, TheFileOfAnEarlierVersionIsImportedOnce) {
  const fs::path file = folder_ / "tuned" / "some-gpu.csv";
  std::ofstream(file) << csvOf({tuned(1024, 16), tuned(2048, 32)});
  EXPECT_EQ(find(1024), tuned(1024, 16));
  std::ofstream(file) << csvOf({tuned(1024, 8)});
  EXPECT_EQ(find(1024), tuned(1024, 16));
  EXPECT_TRUE(fs::exists(file));
}

TEST_F(TunedTest, ADamagedFileIsReportedAndTheOthersAreUsed) {
  std::ofstream(folder_ / "tuned" / "some-gpu.csv") << csvOf({tuned(1024, 16)}) << "notes\n";
  std::ofstream(folder_ / "shipped" / "some-gpu.csv") << csvOf({tuned(1024, 32)});
  const DeviceTuned all = known();
  EXPECT_TRUE(has(all.damage, "some-gpu.csv, line 3"));
  EXPECT_EQ(all.all, std::vector{tuned(1024, 32)});
}

TEST_F(TunedTest, InvalidFiguresAreNeitherKeptNorRead) {
  Tuned odd = tuned(2048, 16);
  for (const double ms : {0.0, 5e-324, 1e300}) {
    odd.medianMs = ms;
    EXPECT_FALSE(keep(odd)) << ms;
  }
  ASSERT_TRUE(keep(tuned(1024, 16)));
  const auto own = open();
  ASSERT_TRUE(own);
  for (const char* change : {"median_ms = 0", "timed = 41", "day = 'today'", "kernel = ''"}) {
    ASSERT_TRUE(own->run(std::string("UPDATE tuned SET ") + change));
    EXPECT_TRUE(known().all.empty()) << change;
    EXPECT_TRUE(has(known().damage, "a row of its table \"tuned\" is ignored"));
    ASSERT_TRUE(own->run("DELETE FROM tuned"));
    ASSERT_TRUE(keep(tuned(1024, 16)));
  }
}

TEST_F(TunedTest, NothingIsKeptInAnUnwritableFile) {
  fs::remove_all(folder_);
  std::ofstream(folder_) << "a file";
  EXPECT_FALSE(keep(tuned(1024, 16)));
}

}  // namespace tilestep::lab::tuned_test
