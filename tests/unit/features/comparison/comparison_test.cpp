// SPDX-License-Identifier: Apache-2.0
// The companion kernel: chosen, undone, restored, stepped together.
#include <gtest/gtest.h>

#include "features/comparison/view.h"
#include "features/gains/view.h"
#include "features/load_history/load_history.h"
#include "features/speed_board/board.h"
#include "unit/model/session_fixture.h"

namespace tilestep::features::comparison_test {

class BesideTest : public SessionFixture {
 protected:
  void open(SessionOptions options = {}) {
    SessionFixture::open(std::move(options));
    settle();
  }
  [[nodiscard]] std::string besideName() {
    return next().companion ? kept->companion->side->kernel : "";
  }
};

TEST_F(BesideTest, AKernelIsComparedWithItselfAtOtherTunables) {
  open();
  session->apply(command("comparison.choose", "matmul_tiled"));
  session->apply(command("comparison.set", "TILE_WIDTH", 2));
  settle();
  EXPECT_EQ(next().main->side->shortName, "tiled (TILE_WIDTH 4)");
  EXPECT_EQ(kept->companion->side->shortName, "tiled (TILE_WIDTH 2)");
  EXPECT_FALSE(kept->view<ComparisonView>().follows);
  EXPECT_TRUE(kept->view<ComparisonView>().ownBlock);
  EXPECT_EQ(kept->view<ComparisonView>().together, "at the same k");
  // Its blocks are smaller, so counts of a step are not compared.
  EXPECT_EQ(
      kept->sentence,
      "16 threads, k = 0…3: tiled (TILE_WIDTH 4) asks for 32 element loads for 64 terms of its "
      "sums; each slot serves 4 threads. For comparison, 4 threads, k = 0…3: tiled (TILE_WIDTH 2) "
      "asks for 16 element loads for 16 terms of its sums; each slot serves 2 threads.");
  ASSERT_TRUE(kept->view<LoadHistoryView>().story);
  const LoadHistory& story = *kept->view<LoadHistoryView>().story;
  EXPECT_TRUE(story.perElement);
  EXPECT_EQ(story.companion.every, 0.5);
  EXPECT_EQ(story.passed(story.companion, 1), 2U);
  // Two loads per element and phase, against four.
  EXPECT_EQ(story.shown(story.main, story.main.points[1].asked), 2);
  EXPECT_EQ(story.shown(story.companion, story.companion.points[2].asked), 4);
  session->apply(command("comparison.follow"));
  settle();
  EXPECT_TRUE(next().view<ComparisonView>().follows);
  EXPECT_EQ(kept->main->side->shortName, "tiled");
  EXPECT_EQ(kept->view<ComparisonView>().tunables.at("TILE_WIDTH"), 4);
}

TEST_F(BesideTest, ItsBlockComputesTheSameElementsUnlessItIsChosen) {
  open();
  session->apply(command("comparison.choose", "matmul_tiled"));
  session->apply(command("comparison.set", "TILE_WIDTH", 2));
  settle();
  const auto asked = [&] {
    for (int i = 0; i < 4; ++i) {
      session->poll(now += 0.1);
      for (const auto& run : log->runs)
        if (run.experiment.traceBlock && run.experiment.tunables.at("TILE_WIDTH") == 2)
          return *run.experiment.traceBlock;
      log->answerRuns();
    }
    return Dim3{9, 9, 9};
  };
  session->apply(command("choice.block", Dim3{1, 0, 0}));
  EXPECT_EQ(asked(), (Dim3{2, 0, 0}));
  settle();
  session->apply(command("comparison.block", Dim3{3, 3, 0}));
  EXPECT_EQ(asked(), (Dim3{3, 3, 0}));
  settle();
  session->apply(command("choice.block", Dim3{0, 1, 0}));  // It follows again.
  EXPECT_EQ(asked(), (Dim3{0, 2, 0}));
}

TEST_F(BesideTest, SwappingTwiceRestoresTheChoice) {
  open();
  const Choice before = next().choice;
  session->apply(command("comparison.swap"));
  settle();
  EXPECT_EQ(next().choice.kernel, "matmul_naive");
  EXPECT_EQ(besideName(), "matmul_tiled");
  EXPECT_EQ(kept->view<ComparisonView>().tunables.at("TILE_WIDTH"), 4);
  EXPECT_EQ(kept->view<ComparisonView>().together, "at the same k");
  EXPECT_EQ(
      kept->sentence,
      "16 threads, k = 0…3: tiled asks for 32 element loads, naive for 128; each slot serves 4 "
      "threads.");
  session->apply(command("comparison.swap"));
  settle();
  EXPECT_EQ(next().choice.kernel, before.kernel);
  EXPECT_EQ(kept->choice.comparison, before.comparison);
  EXPECT_EQ(kept->tunables.at("TILE_WIDTH"), 4);
}

TEST_F(BesideTest, TheGainsAreAlwaysAgainstNaive) {
  open();
  const auto gains = [this](const std::string& kernel, const std::string& beside) {
    session->apply(command("choice.kernel", kernel));
    session->apply(command("comparison.choose", beside));
    settle();
    const GainsView& view = next().view<GainsView>();
    return view.gains.empty() ? "" : view.ratios.subject + " against " + view.ratios.against;
  };
  const std::string usual = "tiled against naive in blocks of 4 × 4";
  EXPECT_EQ(gains("matmul_tiled", Comparison::kUsual), usual);
  EXPECT_EQ(kept->view<GainsView>().note, "") << "the scene and the figures have the same blocks";
  EXPECT_EQ(gains("matmul_tiled", "matmul_tiled_swapped"), usual);
  EXPECT_EQ(gains("matmul_tiled", Comparison::kNone), usual);
  EXPECT_EQ(gains("matmul_naive", "matmul_tiled"), usual);
  EXPECT_EQ(gains("matmul_naive", Comparison::kNone), "");
}

/// A thread of matmul_tiled_free computes four elements, so equal blocks compute different ones.
TEST_F(BesideTest, DifferentBlocksInSceneAndFiguresAreMentioned) {
  log->gpu = true;
  open();
  session->apply(command("choice.kernel", "matmul_tiled_free"));
  for (const auto& [name, value] :
       {std::pair{"TILE_M", 32}, {"TILE_N", 32}, {"TILE_K", 16}, {"BLOCK_X", 16}, {"BLOCK_Y", 16}})
    session->apply(command("tuning.set", name, value));
  settle();
  EXPECT_EQ(next().view<GainsView>().ratios.against, "naive in blocks of 16 × 16");
  EXPECT_EQ(kept->view<GainsView>().note,
            "The scene shows naive in blocks of 32 × 32, in which both blocks compute the same "
            "elements. The scene's counts belong to that launch.");
  EXPECT_EQ(kept->view<SpeedBoardView>().drawn,
            "naive: timed in blocks of 16 × 16, drawn in blocks of 32 × 32.");
}

TEST_F(BesideTest, AGpuMeasuresTheReferenceAndReadsItsCounters) {
  log->gpu = true;
  SessionOptions options;
  options.comparison.kernel = "matmul_tiled_swapped";
  open(options);
  settle();
  EXPECT_EQ(next().view<GainsView>().ratios.time.value(), 1);
  EXPECT_EQ(kept->view<GainsView>().ratios.against, "naive in blocks of 4 × 4");
  EXPECT_FALSE(kept->view<GainsView>().ratios.l2.value());
  ASSERT_TRUE(kept->hardwareReadable);
  session->apply(command("figures.hardware"));
  settle();
  EXPECT_EQ(next().view<GainsView>().ratios.l2.value(), 2);
  EXPECT_TRUE(kept->figuresCompanion->hardware);
}

TEST_F(BesideTest, AnIncompatibleKernelIsReportedAndReplaced) {
  open();
  session->apply(command("comparison.choose", "transpose"));
  settle();
  EXPECT_EQ(besideName(), "matmul_naive");
  EXPECT_EQ(kept->view<ComparisonView>().trouble,
            "transpose cannot be compared with matmul_tiled: its sizes or operands differ.");
  session->apply(command("comparison.choose", "matmul_nothing"));
  settle();
  EXPECT_EQ(next().view<ComparisonView>().trouble, "There is no kernel matmul_nothing.");
}

}  // namespace tilestep::features::comparison_test
