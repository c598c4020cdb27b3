// SPDX-License-Identifier: Apache-2.0
// The ladder: its rungs, what is predicted and said of them.
#include <algorithm>
#include <string>

#include "unit/session/ladder_fixture.h"

namespace tilestep::session {
namespace {

TEST_F(Ladder, StandsInTheOrderOfItsFilesAndTheLibraryLast) {
  ASSERT_GE(plan->points.size(), 15U);
  EXPECT_EQ(plan->series.front().kernel, "rung01_uncoalesced");
  EXPECT_EQ(plan->series.front().name, "uncoalesced");
  EXPECT_EQ(plan->series.back().kernel, "cublas:fp32");
  for (const SweepPoint& point : plan->points) {
    EXPECT_EQ(point.illegal, "");
    EXPECT_EQ(point.operations, 2.0 * 4096 * 4096 * 4096);
  }
  EXPECT_EQ(rungNumberOf("rung09_double_buffer"), "9");
  EXPECT_EQ(rungNumberOf("rung13_top"), "13");
  EXPECT_EQ(rungNumberOf("matmul_tiled"), "");
}

TEST_F(Ladder, TheConflictStandsBesideItsCure) {
  std::vector<int64_t> pads;
  for (const SweepPoint& point : plan->points)
    if (plan->series[point.series].kernel == "rung04_banks")
      pads.push_back(point.tunables.at("PAD"));
  EXPECT_EQ(pads, (std::vector<int64_t>{0, 1}));
}

TEST_F(Ladder, ChosenTunablesTakeTheDefaultsPlace) {
  const auto kernels = ladderKernels(catalogue, {{"rung03_tiled", {{"TILE_WIDTH", 16}}}}, {});
  const auto at = std::ranges::find_if(kernels, [](const SweepKernel& kernel) {
    return kernel.entry->spec->name == "rung03_tiled";
  });
  EXPECT_EQ(at->tunables.at("TILE_WIDTH"), 16);
}

TEST_F(Ladder, PredictedGainStandsAgainstTheMeasuredOne) {
  timed("rung01_uncoalesced", 0.5);
  timed("rung02_coalesced", 6.13);
  timed("cublas:fp32", 51.3);
  counted("rung01_uncoalesced", 33, 0, 5.7);
  counted("rung02_coalesced", 2, 0, 5.7);
  const LadderView ladder = view();
  const LadderRow &first = ladder.rows[0], &second = ladder.rows[1];
  EXPECT_FALSE(first.predictedGain);
  ASSERT_TRUE(first.predicted && first.reached && second.predictedGain && second.measuredGain);
  // 64 FLOP in 33 cycles of 132 SMs at 1.98 GHz; 16384 blocks fill 124.1 rounds of 125.
  const double even = 16384.0 / (132 * 125);
  EXPECT_NEAR(*first.predicted, 64.0 / 33 * 132 * 1.98e9 * even, 1e6);
  EXPECT_NEAR(*first.reached, 0.5e12 / *first.predicted, 1e-9);
  EXPECT_EQ(second.predictedText, "×16.5");
  EXPECT_EQ(second.measuredText, "×12.3");
  EXPECT_EQ(second.belowText, "L1, 33 lines");
  EXPECT_EQ(second.changeText, "L1 lines 33 → 2");
  EXPECT_NEAR(*second.ofLibrary, 6.13 / 51.3, 1e-9);
  EXPECT_NEAR(*second.ofPeak, 6.13 / 63.6, 1e-9);
  EXPECT_EQ(second.sentence,
            "Coalesced: below, L1, 33 lines was the predicted limit; L1 lines 33 → 2; predicted "
            "×16.5, measured ×12.3.");
  ASSERT_TRUE(ladder.best);
  EXPECT_EQ(*ladder.best, 1U);
}

TEST_F(Ladder, FarUnderItsPredictionSomethingElseLimits) {
  timed("rung06_patch_a_thread", 20);
  counted("rung06_patch_a_thread", 0.1, 0.2, 1.2);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel);
  std::string all;
  for (const std::string& paragraph : row->paragraphs) all += paragraph + "\n";
  EXPECT_NE(all.find("1.2 instructions for each warp's multiply-add"), std::string::npos) << all;
  EXPECT_NE(all.find("no count knows limits it more"), std::string::npos) << all;
}

TEST_F(Ladder, CopiesThatNobodyCountsAreNotComparedWithLoads) {
  counted("rung09_double_buffer", 0.1, 0.2, 1.28);
  counted("rung10_async", 0.0, 0.1, 1.4);
  counts[pointOf("rung10_async").key].work.copiesUncounted = true;
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung10_async", &LadderRow::kernel);
  EXPECT_EQ(row->changeText, "loads become copies");
  for (const LadderChange& change : row->changes) {
    EXPECT_NE(change.what, "bytes asked by lanes");
    EXPECT_NE(change.what, "shared wavefronts");
  }
  EXPECT_EQ(row->predictedText, "×0.914");
}

TEST_F(Ladder, TheHardwaresWavefrontsTakeThePlaceOfPtxWhereAllAreKnown) {
  timed("rung03_tiled", 8.9);
  timed("rung05_column_a_thread", 11.9);
  counted("rung03_tiled", 0.07, 2.06, 4);
  counted("rung05_column_a_thread", 0.03, 1.16, 1.1);
  const double warps = 4096.0 * 4096 * 4096 / 32;
  const auto rowOf = [](const LadderView& ladder, const char* kernel) {
    return *std::ranges::find(ladder.rows, kernel, &LadderRow::kernel);
  };
  samples[pointOf("rung03_tiled").key].hardware = SweepHardware{1.5 * warps, 1e9, 1e9};
  // One of two alone: like is compared with like.
  EXPECT_EQ(rowOf(view(), "rung03_tiled").limitText, "shared, 2.06 wavefronts");
  samples[pointOf("rung05_column_a_thread").key].hardware = SweepHardware{0.75 * warps, 1e9, 1e9};
  const LadderView ladder = view();
  EXPECT_EQ(rowOf(ladder, "rung03_tiled").limitText, "shared, 1.5 wavefronts");
  const double even = 16384.0 / (132 * 125);
  EXPECT_NEAR(*rowOf(ladder, "rung03_tiled").predicted, 64 / 1.5 * 132 * 1.98e9 * even, 1e6);
  EXPECT_EQ(rowOf(ladder, "rung03_tiled").predicted, rowOf(ladder, "rung03_tiled").merged);
  EXPECT_NE(ladder.predictedBy.find("GPU's own counters"), std::string::npos);
}

TEST_F(Ladder, AmountsThatLeaveOutCopiesAreTheLeast) {
  timed("rung10_async", 20);
  counted("rung10_async", 0.01, 2, 1.4);
  counts[pointOf("rung10_async").key].work.copiesUncounted = true;
  const auto row = [&] {
    const LadderView ladder = view();
    return *std::ranges::find(ladder.rows, "rung10_async", &LadderRow::kernel);
  };
  EXPECT_EQ(row().limitText, "shared, at least 2 wavefronts");
  EXPECT_NE(inFull(row()).find("at least 2 wavefronts of shared memory"), std::string::npos);
  EXPECT_NE(inFull(row()).find("which allows at most "), std::string::npos);
  EXPECT_NE(inFull(row()).find("their part is left out"), std::string::npos);
  const double warps = 4096.0 * 4096 * 4096 / 32;
  samples[pointOf("rung10_async").key].hardware = SweepHardware{1.5 * warps, 1e9, 1e9};
  EXPECT_EQ(inFull(row()).find("not known"), std::string::npos) << inFull(row());
  EXPECT_NE(inFull(row()).find("the GPU's own counters"), std::string::npos) << inFull(row());
}

TEST_F(Ladder, CountedCopiesAreNoCaveatButTheHardwaresCountersMayLeaveThemOut) {
  timed("rung10_async", 20);
  counted("rung10_async", 0.01, 2, 1.4);
  counts[pointOf("rung10_async").key].copies = true;
  const auto row = [&] {
    const LadderView ladder = view();
    return *std::ranges::find(ladder.rows, "rung10_async", &LadderRow::kernel);
  };
  EXPECT_EQ(row().limitText, "shared, 2 wavefronts");
  EXPECT_EQ(inFull(row()).find("left out"), std::string::npos) << inFull(row());
  const double warps = 4096.0 * 4096 * 4096 / 32;
  samples[pointOf("rung10_async").key].hardware = SweepHardware{1.5 * warps, 1e9, 1e9};
  EXPECT_EQ(row().limitText, "shared, at least 1.5 wavefronts");
  EXPECT_NE(inFull(row()).find("may leave out what copies write"), std::string::npos);
}

TEST_F(Ladder, MoreThanPredictedIsSaid) {
  const double even = 1024.0 / (132 * 8);
  const double allowed = 64 / (2.0 / 4) * 132 * 1.98e9 * even / 1e12;  // Two instructions.
  const auto said = [&](double teraflops) {
    timed("rung06_patch_a_thread", teraflops);
    counted("rung06_patch_a_thread", 0.1, 0.2, 2);
    const LadderView ladder = view();
    return inFull(*std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel));
  };
  const std::string more = said(1.08 * allowed);
  EXPECT_NE(
      more.find("it makes 108 % of that, more than predicted: PTX's instruction counts are an "
                "estimate"),
      std::string::npos)
      << more;
  EXPECT_NE(more.find("the 4 schedulers issue one each"), std::string::npos) << more;
  EXPECT_NE(said(1.01 * allowed).find("it reaches 101 % of that."), std::string::npos);
  rates.computeMajor = 6;
  const std::string two = said(allowed);
  EXPECT_NE(two.find("the 2 schedulers issue one each"), std::string::npos) << two;
}

TEST_F(Ladder, MergedLoadsMayBeWhyAndNoMoreThanThat) {
  counted("rung03_tiled", 0.07, 2, 0.1);
  counts[pointOf("rung03_tiled").key].work.sharedLeast = 1;
  const double even = 16384.0 / (132 * 125);
  const double allowed = 64 / 2.0 * 132 * 1.98e9 * even / 1e12;
  const auto said = [&](double teraflops) {
    timed("rung03_tiled", teraflops);
    const LadderView ladder = view();
    return inFull(*std::ranges::find(ladder.rows, "rung03_tiled", &LadderRow::kernel));
  };
  EXPECT_NE(said(1.5 * allowed).find("the assembler may merge"), std::string::npos)
      << said(1.5 * allowed);
  EXPECT_EQ(said(2.5 * allowed).find("may merge"), std::string::npos);
  EXPECT_NE(said(2.5 * allowed).find("are estimates"), std::string::npos) << said(2.5 * allowed);
}

TEST_F(Ladder, EqualTimesAreNoGain) {
  timed("rung11_warp_tiles", 36.9);
  timed("rung12_block_order", 37.0);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung12_block_order", &LadderRow::kernel);
  EXPECT_EQ(row->verdict, metrics::TimeVerdict::notTold);
  EXPECT_NE(row->measuredText.find("not told apart"), std::string::npos);
}

TEST_F(Ladder, RegistersGiveOccupancyAndNothingIsMadeUpWithout) {
  timed("rung06_patch_a_thread", 21.9);
  samples[pointOf("rung06_patch_a_thread").key].registers = 128;
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel);
  // 256 threads of 128 registers: two blocks of eight warps, of 64.
  ASSERT_TRUE(row->rung.occupancy);
  EXPECT_DOUBLE_EQ(*row->rung.occupancy, 16.0 / 64);
  EXPECT_FALSE(ladder.rows[0].rung.occupancy);
  EXPECT_FALSE(ladder.rows[0].predicted);  // It was not counted.
}

TEST_F(Ladder, WithoutAGpuGapsSayHowToGetTimes) {
  gpu.measures = false;
  gpu.id = "simt";
  plan = std::make_shared<const SweepPlan>(makeSweepPlan(sweepIn));
  const LadderView ladder = view();
  EXPECT_EQ(sweep.waiting, 0U);
  EXPECT_NE(ladder.rows[0].gap.find("choose a GPU or a recording"), std::string::npos);
}

}  // namespace
}  // namespace tilestep::session
