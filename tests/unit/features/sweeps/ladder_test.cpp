// SPDX-License-Identifier: Apache-2.0
// The ladder: its rungs, their predictions and explanations.
#include <algorithm>
#include <string>

#include "support/results.h"
#include "unit/features/sweeps/ladder_fixture.h"

namespace tilestep::features::ladder_test {

TEST_F(LadderCase, RungsAreInTheOrderOfTheirFilesBeforeTheLibrary) {
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

TEST_F(LadderCase, APaddedRungHasARowWithoutPadding) {
  std::vector<int64_t> pads;
  for (const SweepPoint& point : plan->points)
    if (plan->series[point.series].kernel == "rung04_banks")
      pads.push_back(point.tunables.at("PAD"));
  EXPECT_EQ(pads, (std::vector<int64_t>{0, 1}));
}

/// The rows of one rung.
std::vector<SweepKernel> rowsOf(const std::vector<SweepKernel>& kernels, const std::string& name) {
  std::vector<SweepKernel> rows;
  for (const SweepKernel& kernel : kernels)
    if (kernel.entry->spec->name == name) rows.push_back(kernel);
  return rows;
}

TEST_F(LadderCase, ChosenTunablesHaveARowOfTheirOwn) {
  const auto kernels = ladderKernels(catalogue, {}, {{"rung03_tiled", {{"TILE_WIDTH", 16}}}}, {});
  const auto rows = rowsOf(kernels, "rung03_tiled");
  ASSERT_EQ(rows.size(), 3U) << "unpadded, padded, and the choice";
  EXPECT_EQ(rows[0].tunables.at("TILE_WIDTH"), 32);
  EXPECT_EQ(rows[0].from.name, "default");
  EXPECT_EQ(rows[2].tunables.at("TILE_WIDTH"), 16);
  EXPECT_EQ(rows[2].from.name, "chosen");
  EXPECT_EQ(rowsOf(ladderKernels(catalogue, {}, {{"rung03_tiled", {{"TILE_WIDTH", 32}}}}, {}),
                   "rung03_tiled")
                .size(),
            2U)
      << "the chosen tunables are the defaults";
}

TEST_F(LadderCase, ChosenDefaultsHaveARowIfOtherTunablesAreBetter) {
  const KnownTunables best{{{"PAD", 0}, {"TILE_WIDTH", 16}}, {"best known", "the fastest of 2"}};
  const auto kernels = ladderKernels(catalogue, {{"rung03_tiled", best}},
                                     {{"rung03_tiled", {{"TILE_WIDTH", 32}}}}, {});
  const auto rows = rowsOf(kernels, "rung03_tiled");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[2].tunables.at("TILE_WIDTH"), 32);
  EXPECT_EQ(rows[2].from.name, "chosen");
  EXPECT_EQ(rowsOf(ladderKernels(catalogue, {{"rung03_tiled", best}}, {{"rung03_tiled", {}}}, {}),
                   "rung03_tiled")
                .size(),
            2U)
      << "no tunable is chosen";
}

TEST_F(LadderCase, TheBestKnownTunablesReplaceTheDefaults) {
  const compile::CatalogueEntry& top = *rowsOf(sweepIn.others, "rung13_top").front().entry;
  const compile::Bindings sizes{{"m", 1024}, {"n", 1024}, {"k", 1024}};
  lab::Tuned tuned;
  tuned.kernel = "rung13_top";
  tuned.sizes = sizes;
  tuned.tunables = {{"COLS", 8},   {"GROUP", 32}, {"N_FIRST", 1}, {"ROWS", 8},    {"SHARERS", 0},
                    {"STAGES", 6}, {"TILE_K", 8}, {"TILE_M", 64}, {"TILE_N", 128}};
  tuned.timed = 191;
  tuned.legal = 37800;
  const auto here = searchedTunables(top, sizes, tuned, gpu.limits);
  ASSERT_TRUE(here);
  EXPECT_EQ(here->from.name, "best known");
  EXPECT_EQ(here->from.sentence,
            "the best of 191 timed of 37,800 legal, searched at m = n = k = 1024");
  const auto near = searchedTunables(top, sweepIn.sizes, tuned, gpu.limits);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->from.name, "best at m = n = k = 1024");
  Limits small = gpu.limits;
  small.threadsPerBlock = 64;
  EXPECT_FALSE(searchedTunables(top, sizes, tuned, small)) << "64 threads are too few for it";
  const auto rows = rowsOf(ladderKernels(catalogue, {{"rung13_top", *here}}, {}, {}), "rung13_top");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].tunables, tuned.tunables);
}

TEST_F(LadderCase, OnlyOneOfAPaddedPairIsTheBestKnown) {
  const KnownTunables padded{{{"PAD", 1}, {"TILE_WIDTH", 32}}, {"best known", "the fastest of 2"}};
  const auto rows =
      rowsOf(ladderKernels(catalogue, {{"rung04_banks", padded}}, {}, {}), "rung04_banks");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].tunables.at("PAD"), 0);
  EXPECT_EQ(rows[0].from.name, "default");
  EXPECT_EQ(rows[1].tunables.at("PAD"), 1);
  EXPECT_EQ(rows[1].from.name, "best known");
}

TEST_F(LadderCase, TheFastestRecordedRunAtTheseSizesIsUsed) {
  const compile::CatalogueEntry& top = *rowsOf(sweepIn.others, "rung13_top").front().entry;
  lab::DeviceRecording recording;
  recording.kernels = {{"rung13_top", lab::codeHashOf(top.source), {"k", "m", "n"}, {}}};
  const auto add = [&](int64_t side, int64_t group, double ms) {
    lab::RecordedPoint point;
    point.sizes = {{"m", side}, {"n", side}, {"k", side}};
    for (const compile::TunableSpec& tunable : top.spec->tunables)
      point.tunables[tunable.name] = tunable.defaultValue;
    point.tunables["GROUP"] = group;
    point.measurement.emplace();
    point.measurement->medianMs = ms;
    recording.points.push_back(point);
  };
  add(1024, 8, 0.16);
  add(1024, 16, 0.05);
  add(2048, 32, 0.01);
  const auto at = [&](int64_t side) {
    return fastestRecorded(top, {{"m", side}, {"n", side}, {"k", side}}, recording);
  };
  ASSERT_TRUE(at(1024));
  EXPECT_EQ(at(1024)->tunables.at("GROUP"), 16);
  EXPECT_EQ(at(1024)->from.name, "best known");
  EXPECT_EQ(at(1024)->from.sentence, "the fastest of 2 that the recording has at m = n = k = 1024");
  EXPECT_FALSE(at(512));
  recording.kernels[0].codeHash ^= 1;
  EXPECT_FALSE(at(1024)) << "the code differs";
}

TEST_F(LadderCase, TheFastestRungIsNamedOnceAllAreTimed) {
  timed("rung09_double_buffer", 17.9);
  timed("rung10_async", 18.96);
  (void)view();
  EXPECT_TRUE(sweep.story.starts_with("The fastest FP32 row that has a time is 10, "))
      << sweep.story;
  EXPECT_TRUE(has(sweep.story, " have no time yet"));
  for (const SweepPoint& point : plan->points) {
    const double ms = point.operations / 1e9;  // 1 TFLOP/s.
    if (!samples.contains(point.key)) samples[point.key].time = timeOf(ms);
  }
  (void)view();
  EXPECT_TRUE(sweep.story.starts_with("The fastest rung in FP32 is 10, ")) << sweep.story;
}

TEST_F(LadderCase, EachRowNamesItsTunables) {
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung03_tiled", &LadderRow::kernel);
  EXPECT_EQ(row->tunables, "PAD 0, TILE_WIDTH 32");
  EXPECT_TRUE(has(inFull(*row), "Tunables: PAD 0, TILE_WIDTH 32 (its defaults"));
}

TEST_F(LadderCase, PredictedAndMeasuredGainsAreShown) {
  timed("rung01_uncoalesced", 0.5);
  timed("rung02_coalesced", 6.13);
  timed("cublas:fp32", 51.3);
  counted("rung01_uncoalesced", 33, 0, 5.7);
  counted("rung02_coalesced", 2, 0, 5.7);
  const LadderView ladder = view();
  const LadderRow &first = ladder.rows[0], &second = ladder.rows[1];
  EXPECT_FALSE(first.predictedGain);
  ASSERT_TRUE(first.predicted && first.reached && second.predictedGain && second.measuredGain);
  // 64 FLOP per 33 cycles on 132 SMs at 1.98 GHz; 16384 blocks fill 124.1 of 125 rounds.
  const double even = 16384.0 / (132 * 125);
  EXPECT_NEAR(*first.predicted, 64.0 / 33 * 132 * 1.98e9 * even, 1e6);
  EXPECT_NEAR(*first.reached, 0.5e12 / *first.predicted, 1e-9);
  EXPECT_EQ(second.predictedText, "16.5 times faster");
  EXPECT_EQ(second.measuredText, "12.3 times faster");
  EXPECT_EQ(second.belowText, "L1, 33 lines");
  EXPECT_EQ(second.changeText, "L1 lines 33 → 2");
  EXPECT_NEAR(*second.ofLibrary, 6.13 / 51.3, 1e-9);
  EXPECT_NEAR(*second.ofPeak, 6.13 / 63.6, 1e-9);
  EXPECT_EQ(second.sentence,
            "Coalesced: below, L1, 33 lines was the predicted limit; L1 lines 33 → 2; predicted "
            "16.5 times faster, measured 12.3 times faster.");
  ASSERT_TRUE(ladder.best);
  EXPECT_EQ(*ladder.best, 1U);
}

TEST_F(LadderCase, ASlowRungHasAnUncountedLimit) {
  timed("rung06_patch_a_thread", 20);
  counted("rung06_patch_a_thread", 0.1, 0.2, 1.2);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel);
  std::string all;
  for (const std::string& paragraph : row->paragraphs) all += paragraph + "\n";
  EXPECT_TRUE(has(all, "1.2 instructions for each warp's multiply-add",
                  "the counts do not show limits it more"));
}

TEST_F(LadderCase, UncountedCopiesAreNotComparedWithLoads) {
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
  EXPECT_EQ(row->predictedText, "1.09 times slower");
}

TEST_F(LadderCase, HardwareWavefrontsReplacePtxCountsIfAllRungsHaveThem) {
  timed("rung03_tiled", 8.9);
  timed("rung05_column_a_thread", 11.9);
  counted("rung03_tiled", 0.07, 2.06, 4);
  counted("rung05_column_a_thread", 0.03, 1.16, 1.1);
  const double warps = 4096.0 * 4096 * 4096 / 32;
  const auto rowOf = [](const LadderView& ladder, const char* kernel) {
    return *std::ranges::find(ladder.rows, kernel, &LadderRow::kernel);
  };
  samples[pointOf("rung03_tiled").key].hardware = hardwareOf(1.5 * warps);
  // With one of two, PTX counts are used for both, so that they are comparable.
  EXPECT_EQ(rowOf(view(), "rung03_tiled").limitText, "shared, 2.06 wavefronts");
  samples[pointOf("rung05_column_a_thread").key].hardware = hardwareOf(0.75 * warps);
  const LadderView ladder = view();
  EXPECT_EQ(rowOf(ladder, "rung03_tiled").limitText, "shared, 1.5 wavefronts");
  const double even = 16384.0 / (132 * 125);
  EXPECT_NEAR(*rowOf(ladder, "rung03_tiled").predicted, 64 / 1.5 * 132 * 1.98e9 * even, 1e6);
  EXPECT_EQ(rowOf(ladder, "rung03_tiled").predicted, rowOf(ladder, "rung03_tiled").merged);
  EXPECT_TRUE(has(ladder.predictedBy, "GPU's own counters"));
}

TEST_F(LadderCase, AmountsWithoutCopiesAreLowerBounds) {
  timed("rung10_async", 20);
  counted("rung10_async", 0.01, 2, 1.4);
  counts[pointOf("rung10_async").key].work.copiesUncounted = true;
  const auto row = [&] {
    const LadderView ladder = view();
    return *std::ranges::find(ladder.rows, "rung10_async", &LadderRow::kernel);
  };
  EXPECT_EQ(row().limitText, "shared, at least 2 wavefronts");
  EXPECT_TRUE(has(inFull(row()), "at least 2 wavefronts of shared memory", "which allows at most ",
                  "their part is left out"));
  const double warps = 4096.0 * 4096 * 4096 / 32;
  samples[pointOf("rung10_async").key].hardware = hardwareOf(1.5 * warps);
  EXPECT_FALSE(has(inFull(row()), "not known"));
  EXPECT_TRUE(has(inFull(row()), "the GPU's own counters"));
}

TEST_F(LadderCase, HardwareCountersMayLeaveOutCountedCopies) {
  timed("rung10_async", 20);
  counted("rung10_async", 0.01, 2, 1.4);
  counts[pointOf("rung10_async").key].copies = true;
  const auto row = [&] {
    const LadderView ladder = view();
    return *std::ranges::find(ladder.rows, "rung10_async", &LadderRow::kernel);
  };
  EXPECT_EQ(row().limitText, "shared, 2 wavefronts");
  EXPECT_FALSE(has(inFull(row()), "left out"));
  const double warps = 4096.0 * 4096 * 4096 / 32;
  samples[pointOf("rung10_async").key].hardware = hardwareOf(1.5 * warps);
  EXPECT_EQ(row().limitText, "shared, at least 1.5 wavefronts");
  EXPECT_TRUE(has(inFull(row()), "may leave out what copies write"));
}

TEST_F(LadderCase, SpeedsAboveThePredictionAreExplained) {
  const double even = 1024.0 / (132 * 8);
  const double allowed = 64 / (2.0 / 4) * 132 * 1.98e9 * even / 1e12;  // Two instructions.
  const auto said = [&](double teraflops) {
    timed("rung06_patch_a_thread", teraflops);
    counted("rung06_patch_a_thread", 0.1, 0.2, 2);
    const LadderView ladder = view();
    return inFull(*std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel));
  };
  const std::string more = said(1.08 * allowed);
  EXPECT_TRUE(has(more,
                  "it makes 108 % of that, more than predicted: PTX's instruction counts are an "
                  "estimate",
                  "the 4 schedulers issue one each"));
  EXPECT_TRUE(has(said(1.01 * allowed), "it reaches 101 % of that."));
  rates.computeMajor = 6;
  const std::string two = said(allowed);
  EXPECT_TRUE(has(two, "the 2 schedulers issue one each"));
}

TEST_F(LadderCase, MergedLoadsExplainNoMoreThanTheirShare) {
  counted("rung03_tiled", 0.07, 2, 0.1);
  counts[pointOf("rung03_tiled").key].work.sharedLeast = 1;
  const double even = 16384.0 / (132 * 125);
  const double allowed = 64 / 2.0 * 132 * 1.98e9 * even / 1e12;
  const auto said = [&](double teraflops) {
    timed("rung03_tiled", teraflops);
    const LadderView ladder = view();
    return inFull(*std::ranges::find(ladder.rows, "rung03_tiled", &LadderRow::kernel));
  };
  EXPECT_TRUE(has(said(1.5 * allowed), "the assembler may merge"));
  EXPECT_FALSE(has(said(2.5 * allowed), "may merge"));
  EXPECT_TRUE(has(said(2.5 * allowed), "are estimates"));
}

TEST_F(LadderCase, EqualTimesAreNoGain) {
  timed("rung11_warp_tiles", 36.9);
  timed("rung12_block_order", 37.0);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung12_block_order", &LadderRow::kernel);
  EXPECT_EQ(row->verdict, metrics::TimeVerdict::notTold);
  EXPECT_TRUE(has(row->measuredText, "no significant difference"));
  EXPECT_TRUE(has(row->sentence, "measured as fast as the rung below, no significant difference."));
  EXPECT_TRUE(has(inFull(*row),
                  "Measured as fast as the rung below, no significant difference (36.9 TFLOP/s"));
}

TEST(LadderGains, ARangeFromOneIsReportedAsAtMostItsUpperEnd) {
  EXPECT_EQ(gainText(metrics::PredictedGain{1, 1.5}), "at most 1.5 times faster");
  EXPECT_EQ(gainText(metrics::PredictedGain{0.5, 1}), "at most 2 times slower");
  EXPECT_EQ(gainText(metrics::PredictedGain{1, 1}), "as fast");
  EXPECT_EQ(gainText(metrics::PredictedGain{1.5, 2.5}), "1.5 times faster to 2.5 times faster");
}

TEST_F(LadderCase, TheLibrarysModeIsInParentheses) {
  timed("rung06_patch_a_thread", 20);
  timed("cublas:fp32", 50);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel);
  EXPECT_TRUE(
      has(inFull(*row), "20.0 TFLOP/s, 40 % of cuBLAS (pedantic FP32), 31 % of the FP32 ceiling"));
}

TEST_F(LadderCase, ADifferentPrecisionIsMentionedOnce) {
  timed("rung14_tf32", 100);
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung14_tf32", &LadderRow::kernel);
  ASSERT_NE(row, ladder.rows.end());
  for (const std::string& text : {row->sentence, inFull(*row)}) {
    const size_t first = text.find("another precision");
    EXPECT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find("nother precision", first + 2), std::string::npos) << text;
    EXPECT_TRUE(has(text, "not to be compared with FP32"));
  }
}

TEST_F(LadderCase, OccupancyNeedsRegisters) {
  timed("rung06_patch_a_thread", 21.9);
  samples[pointOf("rung06_patch_a_thread").key].registers = 128;
  const LadderView ladder = view();
  const auto row = std::ranges::find(ladder.rows, "rung06_patch_a_thread", &LadderRow::kernel);
  // 256 threads of 128 registers: two blocks of eight warps, of 64 possible warps.
  ASSERT_TRUE(row->occupancy);
  EXPECT_DOUBLE_EQ(*row->occupancy, 16.0 / 64);
  EXPECT_FALSE(ladder.rows[0].occupancy);
  EXPECT_FALSE(ladder.rows[0].predicted);  // It was not counted.
}

TEST_F(LadderCase, GapsWithoutAGpuSayHowToGetTimes) {
  gpu.measures = false;
  gpu.id = "simt";
  plan = std::make_shared<const SweepPlan>(makeSweepPlan(sweepIn));
  const LadderView ladder = view();
  EXPECT_EQ(sweep.waiting, 0U);
  EXPECT_TRUE(has(ladder.rows[0].gap, "choose a GPU or a recording"));
}

}  // namespace tilestep::features::ladder_test
