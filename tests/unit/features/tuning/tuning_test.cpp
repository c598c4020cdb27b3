// SPDX-License-Identifier: Apache-2.0
// The best known tunables, in the session.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "features/tuning/view.h"
#include "lab/points/points_file.h"
#include "lab/recording/recording.h"
#include "lab/tune/tuned.h"
#include "support/results.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::tuning_test {

namespace fs = std::filesystem;

class TuningTest : public SessionFixture {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("tilestep-tuning-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  void openWithFolder() {
    SessionOptions options;
    options.pointsFile = (folder_ / "points.db").string();
    open(std::move(options));
    settle();
    pollUntil([&] { return !snapshot().view<TuningView>().pending; });
  }
  void keep(int64_t side, int64_t width) {
    const compile::CatalogueEntry* entry = snapshot().entry();
    ASSERT_TRUE(entry != nullptr && entry->spec);
    lab::Tuned tuned{entry->spec->name,
                     lab::programHashOf(entry->source, *entry->spec),
                     device(),
                     {{"m", side}, {"n", side}, {"k", side}},
                     {{"TILE_WIDTH", width}},
                     0.5,
                     20,
                     32,
                     "2026-11-21"};
    const auto file = lab::openPoints(folder_ / "points.db");
    ASSERT_TRUE(file && lab::keepTuned(*file, *entry->spec, tuned));
  }
  /// The device whose tunables are shown, as the text names it if none are known.
  std::string device() {
    const std::string text = snapshot().view<TuningView>().best.text, before = " are known for ";
    const size_t at = text.find(before);
    if (at == std::string::npos) return device_;
    const size_t begin = at + before.size();
    return device_ = text.substr(begin, text.find(';', begin) - begin);
  }
  void takeBest() {
    session->apply(command("tuning.best"));
    session->poll(now += 0.1);
    EXPECT_TRUE(pollUntil([&] { return !snapshot().view<TuningView>().pending; }));
  }
  bool hasNotice() { return notice("tuned") != nullptr; }

  fs::path folder_;
  std::string device_;
};

TEST_F(TuningTest, AMissingChoiceIsExplained) {
  openWithFolder();
  EXPECT_FALSE(snapshot().view<TuningView>().best.known);
  const compile::Bindings before = snapshot().tunables;
  takeBest();
  EXPECT_TRUE(hasNotice());
  EXPECT_TRUE(has(snapshot().view<TuningView>().best.text, "only a GPU can search for them"));
  EXPECT_EQ(snapshot().tunables, before);
}

TEST_F(TuningTest, OneUndoRevertsTheBestTunables) {
  openWithFolder();
  keep(snapshot().measureSizes.at("m"), 7);
  takeBest();
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 7);
  EXPECT_TRUE(snapshot().view<TuningView>().best.taken);
  EXPECT_FALSE(hasNotice());
  EXPECT_TRUE(has(snapshot().view<TuningView>().best.text, "The best of 20 timed of 32 legal"));
  session->undo();
  session->poll(now += 0.1);
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 4);
  EXPECT_FALSE(snapshot().view<TuningView>().best.taken);
  EXPECT_TRUE(snapshot().view<TuningView>().best.known);
}

TEST_F(TuningTest, ValuesFromOtherSizesNameThoseSizes) {
  openWithFolder();
  keep(2 * snapshot().measureSizes.at("m"), 9);
  takeBest();
  EXPECT_EQ(snapshot().tunables.at("TILE_WIDTH"), 9);
  EXPECT_TRUE(has(snapshot().view<TuningView>().best.text, "the nearest size that was searched"));
}

TEST_F(TuningTest, SizesOfTheTextbookExampleGrowWithTheTile) {
  open();
  settle();
  session->apply(command("phases.classic"));
  next();
  ASSERT_EQ(snapshot().sceneSizes.at("k"), 4);
  for (const auto& [width, size] : {std::pair{3, 4}, {4, 8}, {16, 32}, {2, 8}}) {
    session->apply(command("tuning.set", "TILE_WIDTH", width));
    session->endGesture();
    next();
    for (const char* name : {"m", "n", "k"})
      EXPECT_EQ(snapshot().sceneSizes.at(name), size) << "width " << width;
  }
}

TEST_F(TuningTest, ChosenSizesThatHoldTwoTilesStay) {
  open();
  settle();
  session->apply(command("choice.scene_size", "m", 20));
  session->apply(command("tuning.set", "TILE_WIDTH", 16));
  next();
  EXPECT_EQ(snapshot().sceneSizes.at("m"), 20);
}

TEST_F(TuningTest, LegalityFollowsTheChoice) {
  openWithFolder();
  session->apply(command("choice.kernel", "matmul_tiled_free"));
  session->apply(command("tuning.set", "BLOCK_X", 64));
  session->poll(now += 0.1);
  const auto whyOf = [&](const char* name, int64_t value) {
    for (const TunableLegality& one : *snapshot().view<TuningView>().legality)
      if (one.tunable == name) return at(one, value)->why;
    return std::string("no such tunable");
  };
  EXPECT_EQ(whyOf("BLOCK_Y", 16), "");
  EXPECT_TRUE(has(whyOf("BLOCK_Y", 32), "2048 threads"));
  EXPECT_FALSE(snapshot().view<TuningView>().resources.empty());
  session->apply(command("tuning.set", "BLOCK_X", 16));
  session->poll(now += 0.1);
  EXPECT_EQ(whyOf("BLOCK_Y", 32), "");
}

}  // namespace tilestep::features::tuning_test
