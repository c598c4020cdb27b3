// SPDX-License-Identifier: Apache-2.0
// The ladder: its rungs, what is counted of them, what is predicted and said.
#include <algorithm>
#include <string>

#include "compile/library_kernel.h"
#include "session/ladder_plan.h"
#include "session/ladder_view.h"
#include "session/roofline_view.h"
#include "session/twin.h"
#include "unit/session/session_fixture.h"

namespace tilestep::session {
namespace {

compile::CatalogueEntry cublas() {
  compile::CatalogueEntry entry;
  entry.source = compile::libraryKernel("cublas:fp32").value();
  entry.spec = compile::parseKernel(entry.source).value();
  return entry;
}

class Ladder : public ::testing::Test {
 protected:
  Ladder() {
    catalogue = compile::readCatalogue(std::string(TILESTEP_SOURCE_DIR) + "/kernels");
    libraries = {cublas()};
    gpu.id = "cuda:0";
    gpu.name = "Test GPU";
    gpu.measures = true;
    gpu.limits.sharedBytesPerBlockOptIn = 232448;
    sweepIn.kind = SweepKind::ladder;
    sweepIn.device = &gpu;
    sweepIn.sizes = {{"m", 4096}, {"n", 4096}, {"k", 4096}};
    sweepIn.others = ladderKernels(catalogue, {}, libraries);
    plan = std::make_shared<const SweepPlan>(makeSweepPlan(sweepIn));
    rates.multiprocessors = 132;
    rates.clockHz = 1.98e9;
    rates.fp32FlopPerSecond = 63.6e12;
    rates.computeMajor = 9;
  }

  const SweepPoint& pointOf(const std::string& kernel) const {
    const auto at = std::ranges::find_if(plan->points, [&](const SweepPoint& point) {
      return plan->series[point.series].kernel == kernel;
    });
    return *at;
  }
  void timed(const std::string& kernel, double teraflops) {
    const SweepPoint& point = pointOf(kernel);
    const double ms = point.operations / teraflops / 1e9;
    samples[point.key].time = SweepTime{ms, ms * 0.99, ms * 0.995, ms * 1.005, 20};
  }
  /// For each warp's multiply-add.
  void counted(const std::string& kernel, double lines, double wavefronts, double instructions) {
    RungCounts& of = counts[pointOf(kernel).key];
    of.work.multiplyAdds = 32;
    of.work.globalRequests = std::min(lines, 2.0);
    of.work.globalLines = lines;
    of.work.sharedWavefronts = of.work.sharedLeast = wavefronts;
    of.work.warpInstructions = instructions;
    of.total.globalLoad.bytes = 256;
  }
  LadderView view() {
    SweepViewInputs inputs;
    inputs.plan = plan;
    inputs.find = [this](const SweepPoint& point) -> const SweepSample* {
      const auto at = samples.find(point.key);
      return at == samples.end() ? nullptr : &at->second;
    };
    sweep = sweepViewOf(inputs);
    LadderInputs in;
    in.sweep = &sweep;
    in.find = inputs.find;
    in.counts = [this](const SweepPoint& point) -> const RungCounts* {
      const auto at = counts.find(point.key);
      return at == counts.end() ? nullptr : &at->second;
    };
    in.rates = rates;
    in.ratesOrigin = "what Test GPU can do";
    metrics::Multiprocessor sm;
    sm.major = 9;
    sm.threads = 2048;
    sm.blocks = 32;
    sm.registers = 65536;
    sm.sharedBytes = 233472;
    sm.sharedBytesReservedPerBlock = 1024;
    sm.threadsPerBlock = 1024;
    sm.sharedBytesPerBlock = 232448;
    in.multiprocessor = sm;
    return ladderViewOf(in);
  }

  std::vector<compile::CatalogueEntry> catalogue, libraries;
  device::DeviceInfo gpu;
  SweepInputs sweepIn;
  std::shared_ptr<const SweepPlan> plan;
  SweepView sweep;
  SweepSamples samples;
  std::map<std::string, RungCounts> counts;
  metrics::DeviceRates rates;
};

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

std::string inFull(const LadderRow& row) {
  std::string all;
  for (const std::string& paragraph : row.paragraphs) all += paragraph + "\n";
  return all;
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

TEST(RungCountsOf, CountsLinesAndWhatMayBeMergedInTheTracedBlock) {
  lab::Result result;
  result.counters.emplace();
  trace::Counters& total = result.counters->total;
  total.ffma = 3200;
  total.globalLoad = {64, 20, 330, 100'000, 100'000};
  total.sharedLoad = {10, 330, 320};
  total.warpInstructions = 500;
  trace::Recording recording;
  std::vector<uint32_t> apart(32), along(32, 64);
  for (uint32_t i = 0; i < 32; ++i) apart[i] = i * 4096;
  std::vector<std::byte> values(128);
  trace::TraceEvent event;
  event.width = 4;
  event.mask = ~0U;
  event.space = trace::Space::global;
  event.offsets = apart;
  event.values = values;
  recording.append(event);
  event.offsets = along;  // All lanes one element.
  recording.append(event);
  event.space = trace::Space::shared;
  for (uint32_t i = 0; i < 32; ++i) apart[i] = i * 128;  // One bank.
  event.offsets = apart;
  recording.append(event);
  result.trace = recording;
  const RungCounts counts = rungCountsOf(result);
  EXPECT_EQ(counts.reason, "");
  EXPECT_DOUBLE_EQ(counts.warpMultiplyAdds(), 100);
  ASSERT_TRUE(counts.work.globalLines);
  EXPECT_DOUBLE_EQ(*counts.work.globalLines, 20 * 33.0 / 2);  // 32 lines and one, of two requests.
  EXPECT_DOUBLE_EQ(counts.work.sharedWavefronts, 330);
  EXPECT_DOUBLE_EQ(counts.work.sharedLeast, 330 / 4.0);
  EXPECT_FALSE(counts.work.copiesUncounted);
}

TEST(RungCountsOf, CopiesAreToldFromTheProgramHoweverMuchElseIsLoaded) {
  lab::Result result;
  result.counters.emplace();
  result.counters->total.ffma = 32;
  result.counters->total.globalLoad = {1000, 100, 100, 1'000'000, 1'000'000};  // Flags, sums.
  result.plan.operations = 64;
  EXPECT_TRUE(loadsAreCounted(result));
  EXPECT_FALSE(rungCountsOf(result).work.copiesUncounted);
  EXPECT_EQ(rooflineWorkOf(result, false).askedBytes, 1'000'000U);
  result.asyncCopies = true;
  EXPECT_FALSE(loadsAreCounted(result));
  EXPECT_TRUE(rungCountsOf(result).work.copiesUncounted);
  EXPECT_EQ(rooflineWorkOf(result, false).askedBytes, 0U);
  EXPECT_EQ(rooflineWorkOf(result, false).sectorBytes, 0U);
}

/// A block of 128 x 128 with 8 bytes a thread and k, and stores that touch eight sectors each.
RungCounts atK(double k) {
  RungCounts counts;
  counts.total.globalLoad.bytes = static_cast<uint64_t>(1024 * k);
  counts.total.globalStore.bytes = 65536;
  counts.work.multiplyAdds = 128 * 128 * k;
  counts.work.globalSectors = 32 * k + 16384;
  counts.work.globalLines = 8 * k + 4096;
  counts.work.warpInstructions = 600 * k + 5000;
  return counts;
}

TEST(RungCountsAt, IsTheLineThroughBothInK) {
  const RungCounts at = rungCountsAt(atK(256), atK(512), 4096);
  EXPECT_EQ(at.sizes.at("k"), 4096);
  EXPECT_EQ(at.total.globalLoad.bytes, 1024U * 4096);
  EXPECT_EQ(at.total.globalStore.bytes, 65536U);
  EXPECT_DOUBLE_EQ(at.work.multiplyAdds, 128.0 * 128 * 4096);
  // 25.6 at the k that was counted.
  EXPECT_NEAR(2 * at.work.multiplyAdds / (32 * at.work.globalSectors), 28.44, 0.01);
  EXPECT_DOUBLE_EQ(at.work.globalLines.value(), 8 * 4096 + 4096);
  EXPECT_DOUBLE_EQ(at.work.warpInstructions.value(), 600 * 4096 + 5000);
  RungCounts lacking = atK(512);
  lacking.work.globalLines.reset();
  EXPECT_FALSE(rungCountsAt(atK(256), lacking, 4096).work.globalLines);
  lacking.reason = "It has no end.";
  EXPECT_EQ(rungCountsAt(atK(256), lacking, 4096).reason, "It has no end.");
  EXPECT_GE(rungCountsAt(atK(512), atK(256), 65536).work.multiplyAdds, 0);  // No negative counts.
}

TEST_F(Ladder, ALostWorkerIsAskedThreeTimesAndRunAgainForgetsWhatFailed) {
  LadderCounts keeper;
  const std::string first = keeper.wanted(*plan)->source.path;
  const SweepPoint& point = pointOf("rung01_uncoalesced");
  for (int i = 0; i < 2; ++i) {
    keeper.acceptError("The worker ended.", true);
    EXPECT_EQ(keeper.find(plan->series[point.series], point), nullptr);
    EXPECT_EQ(keeper.wanted(*plan)->source.path, first);
  }
  keeper.acceptError("The worker ended.", true);
  ASSERT_NE(keeper.find(plan->series[point.series], point), nullptr);
  EXPECT_EQ(keeper.find(plan->series[point.series], point)->reason, "The worker ended.");
  EXPECT_NE(keeper.wanted(*plan)->source.path, first);
  keeper.forgetFailed();
  EXPECT_EQ(keeper.find(plan->series[point.series], point), nullptr);
  EXPECT_EQ(keeper.wanted(*plan)->source.path, first);
  keeper.acceptError("It cannot be compiled.", false);  // No use asking again.
  EXPECT_NE(keeper.wanted(*plan)->source.path, first);
}

class LadderSession : public SessionFixture {};

TEST_F(LadderSession, RunAgainAsksForRungsThatCouldNotBeCounted) {
  log->gpu = true;
  open();
  settle();
  session->lookAtSweep(SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0});
  const auto counting = [](const FakeClient::Asked& asked) {
    return asked.experiment.source.path.find("/ladder/") != std::string::npos;
  };
  for (int i = 0; i < 40 && std::ranges::none_of(log->runs, counting); ++i) {
    log->answerRuns();
    session->poll(now += 0.1);
  }
  ASSERT_TRUE(std::ranges::any_of(log->runs, counting));
  log->fail("The compiler has no memory.");
  for (int i = 0; i < 8; ++i) settle();
  const auto uncounted = [&] {
    const auto& rows = snapshot().ladder->rows;
    return std::ranges::count_if(rows, [](const LadderRow& row) {
      return inFull(row).find("could not be") != std::string::npos;
    });
  };
  ASSERT_TRUE(snapshot().ladder);
  EXPECT_EQ(uncounted(), 1);
  session->runSweep(true);
  for (int i = 0; i < 12; ++i) settle();
  EXPECT_EQ(uncounted(), 0);
}

TEST_F(LadderSession, CountsByItselfInTheInterpreterAndMeasuresWhenAsked) {
  log->gpu = true;
  open();
  settle();
  all.clear();
  session->lookAtSweep(SweepChoice{SweepKind::ladder, SweepQuantity::automatic, 0});
  for (int i = 0; i < 8; ++i) settle();
  ASSERT_TRUE(snapshot().ladder);
  EXPECT_EQ(snapshot().ladder->progress, "");
  size_t counted = 0;
  for (const lab::Experiment& experiment : all) {
    if (experiment.source.path.find("/ladder/") == std::string::npos) continue;
    ++counted;
    EXPECT_EQ(experiment.device, "simt");
    EXPECT_FALSE(experiment.measure);
    EXPECT_EQ(experiment.sizes.at("m"), kLadderCountSide);
    const int64_t k = experiment.sizes.at("k");
    EXPECT_TRUE(k == kLadderCountSide || k == kLadderCountDeep) << k;
  }
  EXPECT_GE(counted, 28U);
  all.clear();
  session->runSweep(false);
  for (int i = 0; i < 6; ++i) settle();
  size_t measured = 0;
  for (const lab::Experiment& experiment : all) measured += experiment.measure ? 1 : 0;
  EXPECT_EQ(measured, snapshot().sweep->plan->legalPoints());
  const Twin twin = twinOf(ViewKind::sweep, snapshot(), false, false);
  EXPECT_EQ(twin.rows.size(), snapshot().ladder->rows.size());
  EXPECT_EQ(twin.columns.front(), "rung");
  EXPECT_FALSE(session->goToSweepPoint(twin.rows.size() - 1));  // A library has no steps.
}

}  // namespace
}  // namespace tilestep::session
