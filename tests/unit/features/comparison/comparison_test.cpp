// SPDX-License-Identifier: Apache-2.0
// What stands beside the kernel: chosen, undone, restored, stepped together.
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/model/session_fixture.h"

namespace tilestep::model {
namespace comparison_test {

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

TEST_F(BesideTest, AnyKernelThatFitsIsChosenAndUndone) {
  open();
  EXPECT_EQ(besideName(), "matmul_naive");
  const std::vector<std::string>& fitting = kept->beside.kernels;
  EXPECT_TRUE(std::ranges::count(fitting, "matmul_tiled_swapped"));
  EXPECT_TRUE(std::ranges::count(fitting, "matmul_tiled"));
  EXPECT_FALSE(std::ranges::count(fitting, "transpose"));
  session->chooseBeside("matmul_tiled_swapped");
  settle();
  EXPECT_EQ(besideName(), "matmul_tiled_swapped");
  EXPECT_EQ(kept->beside.together, "epoch by epoch");
  EXPECT_EQ(kept->sentence,
            "16 threads, k = 0…3: tiled swapped asks for 32 element loads, tiled for 32; each slot "
            "serves 4 "
            "threads.");
  session->chooseBeside(Comparison::kNone);
  settle();
  EXPECT_EQ(besideName(), "");
  session->undo();
  settle();
  EXPECT_EQ(besideName(), "matmul_tiled_swapped");
  session->undo();
  settle();
  EXPECT_EQ(besideName(), "matmul_naive");
  session->redo();
  settle();
  EXPECT_EQ(besideName(), "matmul_tiled_swapped");
}

TEST_F(BesideTest, OneKernelStandsBesideItselfWithItsOwnTunable) {
  open();
  session->chooseBeside("matmul_tiled");
  session->setBesideTunable("TILE_WIDTH", 2);
  settle();
  EXPECT_EQ(next().main->side->shortName, "tiled (TILE_WIDTH 4)");
  EXPECT_EQ(kept->companion->side->shortName, "tiled (TILE_WIDTH 2)");
  EXPECT_FALSE(kept->beside.follows);
  EXPECT_TRUE(kept->beside.ownBlock);
  EXPECT_EQ(kept->beside.together, "at the same k");
  // Its blocks are smaller: nothing is compared one to one.
  EXPECT_EQ(kept->sentence,
            "16 threads, k = 0…3: tiled (TILE_WIDTH 4) asks for 32 element loads for 64 terms of "
            "its sums; "
            "each slot serves 4 threads. Beside it, 4 threads, k = 0…3: tiled (TILE_WIDTH 2) asks "
            "for 16 element loads for 16 terms of its sums; each slot serves 2 threads.");
  ASSERT_TRUE(kept->story);
  EXPECT_TRUE(kept->story->perElement);
  EXPECT_EQ(kept->story->companion.every, 0.5);
  EXPECT_EQ(kept->story->passed(kept->story->companion, 1), 2U);
  // Two loads an element and phase of four, against four.
  EXPECT_EQ(kept->story->shown(kept->story->main, kept->story->main.points[1].asked), 2);
  EXPECT_EQ(kept->story->shown(kept->story->companion, kept->story->companion.points[2].asked), 4);
  session->letBesideFollow();
  settle();
  EXPECT_TRUE(next().beside.follows);
  EXPECT_EQ(kept->main->side->shortName, "tiled");
  EXPECT_EQ(kept->beside.tunables.at("TILE_WIDTH"), 4);
}

TEST_F(BesideTest, ItsBlockComputesTheSameElementsUnlessChosen) {
  open();
  session->chooseBeside("matmul_tiled");
  session->setBesideTunable("TILE_WIDTH", 2);
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
  session->chooseBlock({1, 0, 0});
  EXPECT_EQ(asked(), (Dim3{2, 0, 0}));
  settle();
  session->chooseBesideBlock({3, 3, 0});
  EXPECT_EQ(asked(), (Dim3{3, 3, 0}));
  settle();
  session->chooseBlock({0, 1, 0});  // It follows again.
  EXPECT_EQ(asked(), (Dim3{0, 2, 0}));
}

TEST_F(BesideTest, SwappingTwiceIsWhereItBegan) {
  open();
  const Choice before = next().choice;
  session->swapSides();
  settle();
  EXPECT_EQ(next().choice.kernel, "matmul_naive");
  EXPECT_EQ(besideName(), "matmul_tiled");
  EXPECT_EQ(kept->beside.tunables.at("TILE_WIDTH"), 4);
  EXPECT_EQ(kept->beside.together, "at the same k");
  EXPECT_EQ(
      kept->sentence,
      "16 threads, k = 0…3: tiled asks for 32 element loads, naive for 128; each slot serves 4 "
      "threads.");
  session->swapSides();
  settle();
  EXPECT_EQ(next().choice.kernel, before.kernel);
  EXPECT_EQ(kept->choice.beside, before.beside);
  EXPECT_EQ(kept->tunables.at("TILE_WIDTH"), 4);
}

TEST_F(BesideTest, WhatTilingChangesIsAlwaysAgainstNaive) {
  open();
  EXPECT_TRUE(next().gainsKnown);
  EXPECT_EQ(kept->gains.against, "naive in blocks of 4 × 4");
  EXPECT_EQ(kept->gains.note, "") << "the scene has the same blocks";
  session->chooseBeside("matmul_tiled_swapped");
  settle();
  EXPECT_TRUE(next().gainsKnown);
  EXPECT_EQ(kept->gains.against, "naive in blocks of 4 × 4");
  EXPECT_EQ(kept->gains.subject, "tiled");
  session->chooseBeside(Comparison::kNone);
  settle();
  EXPECT_TRUE(next().gainsKnown);
  session->chooseKernel("matmul_naive");
  session->chooseBeside("matmul_tiled");
  settle();
  EXPECT_TRUE(next().gainsKnown);
  EXPECT_EQ(kept->gains.subject, "tiled");
  session->chooseBeside(Comparison::kNone);
  settle();
  EXPECT_FALSE(next().gainsKnown);
}

TEST_F(BesideTest, DifferentBlocksInSceneAndFiguresAreMentioned) {
  log->gpu = true;
  open();
  settle();
  EXPECT_TRUE(next().gainsKnown);
  EXPECT_EQ(kept->gains.against, "naive in blocks of 16 × 16");
  EXPECT_EQ(kept->gains.note,
            "The scene steps naive in blocks of 4 × 4, so that both blocks make the same elements: "
            "its counts are of that launch.");
}

TEST_F(BesideTest, ARemovedBarrierIsComparedWithTheUnchangedKernel) {
  open();
  EXPECT_EQ(next().beside.instead, "");
  session->takeBarrierAway(1);
  settle();
  EXPECT_EQ(next().beside.instead, "tiled with all its barriers");
  session->takeBarrierAway(0);
  settle();
  EXPECT_EQ(next().beside.instead, "");
}

TEST_F(BesideTest, OnAGpuTheReferenceIsMeasuredAndItsCountersRead) {
  log->gpu = true;
  SessionOptions options;
  options.beside.kernel = "matmul_tiled_swapped";
  open(options);
  settle();
  EXPECT_TRUE(next().gainsKnown);
  EXPECT_EQ(kept->gains.time, 1);
  EXPECT_EQ(kept->gains.against, "naive in blocks of 16 × 16");
  EXPECT_FALSE(kept->gains.l2);
  ASSERT_TRUE(kept->hardwareReadable);
  session->readHardware();
  settle();
  EXPECT_EQ(next().gains.l2, 2);
  EXPECT_TRUE(kept->figuresCompanion->hardware);
}

TEST_F(BesideTest, AnIncompatibleKernelIsReportedAndReplaced) {
  open();
  session->chooseBeside("transpose");
  settle();
  EXPECT_EQ(besideName(), "matmul_naive");
  EXPECT_EQ(kept->beside.trouble,
            "transpose cannot stand beside matmul_tiled: its sizes or operands are others.");
  session->chooseBeside("matmul_nothing");
  settle();
  EXPECT_EQ(next().beside.trouble, "There is no kernel matmul_nothing.");
}

TEST_F(BesideTest, KeysGoThroughAllThatFitAndBack) {
  open();
  std::vector<std::string> seen;
  do {
    seen.push_back(next().choice.beside.kernel);
    session->nextBeside(true);
  } while (next().choice.beside.kernel != seen.front() && seen.size() < 30);
  EXPECT_EQ(seen.size(), kept->beside.kernels.size() + 2);
  session->nextBeside(false);
  EXPECT_EQ(next().choice.beside.kernel, seen.back());
}

TEST_F(BesideTest, PaddingIsSwitchedAndUndone) {
  SessionOptions options;
  options.kernel = "matmul_tiled_swapped";
  open(options);
  session->togglePadding();
  EXPECT_EQ(next().tunables.at("PAD"), 1);
  session->togglePadding();
  EXPECT_EQ(next().tunables.at("PAD"), 0);
  session->undo();
  EXPECT_EQ(next().tunables.at("PAD"), 1);
  session->chooseKernel("matmul_tiled");
  session->togglePadding();
  EXPECT_TRUE(std::ranges::any_of(next().notices,
                                  [](const Notice& one) { return one.about == "padding"; }));
}

TEST_F(BesideTest, ComesBackWithTheWindow) {
  open();
  session->chooseBeside("matmul_tiled");
  session->setBesideTunable("TILE_WIDTH", 2);
  session->chooseBesideBlock({1, 1, 0});
  settle();
  SessionOptions options;
  options.saved = parseSaved(toToml(session->saved()), "state.toml").value();
  open(options);
  EXPECT_EQ(besideName(), "matmul_tiled");
  EXPECT_EQ(kept->beside.tunables.at("TILE_WIDTH"), 2);
  EXPECT_EQ(kept->choice.beside.block, (Dim3{1, 1, 0}));
}

}  // namespace comparison_test
}  // namespace tilestep::model
