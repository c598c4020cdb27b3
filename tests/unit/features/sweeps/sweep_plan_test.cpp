// SPDX-License-Identifier: Apache-2.0
// The points of sweeps, their samples, and the sentence.
#include "features/sweeps/sweep_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <set>

#include "features/sweeps/sweeps.h"
#include "lab/recording/recording_file.h"
#include "support/results.h"
#include "support/source_root.h"
#include "unit/features/sweeps/sweep_rows.h"

namespace tilestep::features::sweep_plan_test {

compile::CatalogueEntry kernelOf(const std::string& name) {
  compile::CatalogueEntry entry;
  entry.source = compile::findKernel(support::sourceRoot() + "/kernels", name).value();
  entry.spec = compile::parseKernel(entry.source).value();
  return entry;
}

/// Plans for the shipped kernels.
class SweepPlans : public ::testing::Test {
 protected:
  SweepPlans() {
    gpu.id = "cuda:0";
    gpu.name = "Test GPU";
    gpu.measures = true;
    gpu.limits.device = "Test GPU";
    simt.id = "simt";
    simt.name = "SIMT interpreter";
    in.main = {&tiled, {{"TILE_WIDTH", 16}}};
    in.comparison = SweepKernel{&naive, {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}};
    in.comparisonAlong = [](const compile::Plan& main) {
      const int64_t width = main.tunables.at("TILE_WIDTH");
      return compile::Bindings{{"BLOCK_X", width}, {"BLOCK_Y", width}};
    };
    in.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    in.device = &gpu;
  }
  /// Measures every legal point; the function gives its milliseconds.
  SweepView viewWith(const SweepPlan& plan,
                     const std::function<std::optional<double>(const SweepPoint&)>& ms,
                     SweepQuantity quantity = SweepQuantity::speed) {
    samples.clear();
    for (const SweepPoint& point : plan.points) {
      const std::optional<double> median = point.illegal.empty() ? ms(point) : std::nullopt;
      if (median) samples[point.key].time = timeOf(*median, *median * 0.99, *median * 1.01, 9);
    }
    SweepViewInputs inputs;
    inputs.plan = std::make_shared<SweepPlan>(plan);
    inputs.quantity = quantity;
    inputs.find = [this](const SweepPoint& point) -> const SweepSample* {
      const auto at = samples.find(point.key);
      return at == samples.end() ? nullptr : &at->second;
    };
    return sweepViewOf(inputs);
  }

  compile::CatalogueEntry tiled = kernelOf("matmul_tiled"), naive = kernelOf("matmul_naive"),
                          swapped = kernelOf("matmul_tiled_swapped"),
                          transpose = kernelOf("transpose");
  device::DeviceInfo gpu, simt;
  SweepInputs in;
  SweepSamples samples;
};

TEST_F(SweepPlans, KernelsOverOneTunableHaveEqualBlocks) {
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.source, SweepSource::live);
  EXPECT_EQ(plan.x.name, "TILE_WIDTH");
  ASSERT_EQ(plan.x.values.size(), 32U);
  EXPECT_EQ(plan.points.size(), 64U);
  EXPECT_EQ(plan.legalPoints(), 64U);
  EXPECT_EQ(plan.fixed, "m = n = k = 1024");
  for (const SweepPoint& point : plan.points) {
    const int64_t width = plan.x.values[point.column];
    if (point.series == 0)
      EXPECT_EQ(point.tunables.at("TILE_WIDTH"), width);
    else
      EXPECT_EQ(point.tunables, (compile::Bindings{{"BLOCK_X", width}, {"BLOCK_Y", width}}));
    EXPECT_EQ(point.operations, 2.0 * 1024 * 1024 * 1024);
  }
  EXPECT_EQ(plan.beyond,
            "a block of 33 x 33 has 1,089 threads; Test GPU runs at most 1,024 per block");
  EXPECT_EQ(plan.series[1].name, "naive in equal blocks");
}

TEST_F(SweepPlans, OnlyEqualPointsHaveEqualKeys) {
  const SweepPlan plan = makeSweepPlan(in);
  std::set<std::string> keys;
  for (const SweepPoint& point : plan.points) keys.insert(point.key);
  EXPECT_EQ(keys.size(), plan.points.size());
  tiled.source.text += "\nint another;\n";
  EXPECT_NE(makeSweepPlan(in).points[0].key, plan.points[0].key);
}

TEST_F(SweepPlans, TheInterpreterCountsAtSmallSizes) {
  in.device = &simt;
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.source, SweepSource::interpreter);
  EXPECT_EQ(plan.fixed, "m = n = k = 128");
  EXPECT_EQ(resolved(SweepQuantity::automatic, plan), SweepQuantity::asked);
  EXPECT_EQ(resolved(SweepQuantity::speed, plan), SweepQuantity::asked);  // It has no times.
  EXPECT_FALSE(experimentOf(plan, plan.points[0], SweepQuantity::asked).measure);
  EXPECT_TRUE(experimentOf(plan, plan.points[0], SweepQuantity::asked).counters);
}

TEST_F(SweepPlans, TooManyThreadsMakeABlockShapeIllegal) {
  in.kind = SweepKind::shapes;
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.axes, (std::vector<std::string>{"naive: BLOCK_X × BLOCK_Y", "TILE_WIDTH × size"}));
  ASSERT_EQ(plan.x.values.size(), 11U);
  ASSERT_EQ(plan.points.size(), 121U);
  for (const SweepPoint& point : plan.points) {
    const int64_t threads = plan.x.values[point.column] * plan.y.values[point.row];
    EXPECT_EQ(point.illegal.empty(), threads <= 1024) << threads;
    if (threads > 1024) {
      EXPECT_TRUE(has(point.illegal, "1,024"));
    }
  }
}

TEST_F(SweepPlans, AxesAreChosenModuloTheirNumber) {
  in.kind = SweepKind::shapes;
  in.axes = 1;
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.x.name, "TILE_WIDTH");
  EXPECT_EQ(plan.y.name, "m = n = k");
  EXPECT_TRUE(plan.y.ofSizes);
  EXPECT_EQ(plan.points.back().sizes.at("k"), 4096);
  in.axes = 2;
  EXPECT_EQ(makeSweepPlan(in).axesAt, 0U);
}

TEST_F(SweepPlans, SizesAreSweptForEveryKernel) {
  in.kind = SweepKind::sizes;
  in.others = {{&swapped, {{"TILE_WIDTH", 16}, {"PAD", 0}}}};
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.x.values, (std::vector<int64_t>{64, 128, 256, 512, 1024, 2048, 4096}));
  EXPECT_TRUE(plan.x.logarithmic);
  ASSERT_EQ(plan.series.size(), 3U);
  EXPECT_EQ(plan.points.size(), 21U);
  for (const SweepPoint& point : plan.points)
    EXPECT_EQ(point.sizes.at("m"), plan.x.values[point.column]);
  in.sizes = {{"m", 1000}, {"n", 1000}, {"k", 1000}};  // The chosen size is one of them.
  EXPECT_EQ(makeSweepPlan(in).x.values.size(), 8U);
}

TEST_F(SweepPlans, ASweepOverSizesOmitsKernelsThatAreNotRecorded) {
  lab::DeviceRecording recording;
  for (const char* name : {"matmul_tiled", "matmul_tiled_swapped"}) {
    recording.kernels.push_back({name, 0, {"k", "m", "n"}, {}});
    lab::RecordedPoint point;
    point.kernel = static_cast<uint32_t>(recording.kernels.size() - 1);
    point.sizes = in.sizes;
    point.tunables = {{"TILE_WIDTH", 16}};
    if (point.kernel == 1) point.tunables["PAD"] = 0;
    recording.points.push_back(point);
  }
  in.kind = SweepKind::sizes;
  in.recording = &recording;
  in.others.assign(7, {&naive, {{"BLOCK_X", 8}, {"BLOCK_Y", 8}}});
  in.others.push_back({&swapped, {{"TILE_WIDTH", 16}, {"PAD", 0}}});
  const SweepPlan plan = makeSweepPlan(in);
  ASSERT_EQ(plan.series.size(), 2U);
  EXPECT_EQ(plan.series[1].kernel, "matmul_tiled_swapped");
  EXPECT_EQ(plan.leftOut,
            "Not recorded with these tunables: naive, naive, naive, naive, naive, naive and 2 "
            "more.");
}

TEST_F(SweepPlans, AKernelWithoutTunablesSaysSo) {
  tiled.spec->tunables.clear();
  in.main.tunables.clear();
  in.comparison.reset();
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_FALSE(plan.impossible.empty());
  EXPECT_TRUE(plan.points.empty());
  EXPECT_EQ(viewWith(plan, [](const SweepPoint&) { return 1.0; }).story,
            "There is nothing to sweep: matmul_tiled has no tunables; sizes can be swept.");
}

TEST_F(SweepPlans, TheSentenceNamesTheBestAndTheEndOfTheAxis) {
  const SweepPlan plan = makeSweepPlan(in);
  const SweepView view = viewWith(plan, [&](const SweepPoint& point) {
    const auto width = static_cast<double>(plan.x.values[point.column]);
    return point.series == 0 ? 32 / width : 2.0;
  });
  EXPECT_EQ(view.story,
            "Best of tiled: TILE_WIDTH 32 with 2.15 TFLOP/s, 32 times faster than TILE_WIDTH 1, 2 "
            "times faster than naive in equal blocks there; above 32 it cannot run: a block of 33 "
            "x 33 has 1,089 threads; Test GPU runs at most 1,024 per block.");
  EXPECT_EQ(view.done, 64U);
  EXPECT_EQ(std::ranges::count_if(view.cells, &SweepCell::best), 1);
  EXPECT_TRUE(view.wish.empty());
  EXPECT_EQ(bestToChoose(view), 31U);
}

TEST_F(SweepPlans, TheSentenceMentionsTiesAndWaitingPoints) {
  in.comparison.reset();
  const SweepPlan plan = makeSweepPlan(in);
  const SweepView flat = viewWith(plan, [](const SweepPoint&) { return 1.0; });
  EXPECT_EQ(flat.story, "The same at all 32 points: 2.15 TFLOP/s.");
  EXPECT_EQ(std::ranges::count_if(flat.cells, &SweepCell::best), 0);
  EXPECT_EQ(bestToChoose(flat), std::nullopt);
  const SweepView near =
      viewWith(plan, [](const SweepPoint& point) { return point.column == 7 ? 0.998 : 1.0; });
  EXPECT_TRUE(has(near.story, "no other differs by more than half a percent",
                  "within the spread of 31 other points"));
  const SweepView half = viewWith(plan, [](const SweepPoint& point) {
    return point.column < 8 ? std::optional(1.0 + static_cast<double>(point.column)) : std::nullopt;
  });
  EXPECT_TRUE(has(half.story, "24 points have not run yet"));
  EXPECT_FALSE(has(half.story, "above 32"));  // What comes may be otherwise.
  EXPECT_EQ(half.wish, "C runs 24 points");
  EXPECT_TRUE(has(half.story, "Best: TILE_WIDTH 1 "));
}

TEST_F(SweepPlans, LessIsBetterForTimesAndCounts) {
  in.comparison.reset();
  const SweepPlan plan = makeSweepPlan(in);
  const auto ms = [](const SweepPoint& point) { return 1.0 + static_cast<double>(point.column); };
  const SweepView view = viewWith(plan, ms, SweepQuantity::time);
  EXPECT_TRUE(view.cells.front().best);
  EXPECT_EQ(
      view.story.rfind("Fastest: TILE_WIDTH 1 with 1.00 ms, 32 times faster than TILE_WIDTH 32", 0),
      0U)
      << view.story;
  EXPECT_TRUE(viewWith(plan, ms).cells.front().best);
}

TEST_F(SweepPlans, SmallBlocksAreNotBestForSmallRequests) {
  in.kind = SweepKind::shapes;
  in.device = &simt;
  const auto plan = std::make_shared<const SweepPlan>(makeSweepPlan(in));
  // As in a naive product: a single lane requests a sector of each matrix; 32 lanes in a row
  // share one sector of M and four of N.
  const auto countsOf = [](const SweepPoint& point) {
    SweepSample sample;
    sample.counts.emplace();
    const auto threads = static_cast<uint64_t>(point.operations) / 2;
    const uint64_t lanes = std::min<uint64_t>(32, static_cast<uint64_t>(point.threads));
    const uint64_t requests = threads / lanes;
    sample.counts->globalLoad.requests = 2 * requests;
    sample.counts->globalLoad.sectors = requests * (1 + (lanes + 7) / 8);
    return sample;
  };
  for (const SweepPoint& point : plan->points)
    if (point.illegal.empty()) samples[point.key] = countsOf(point);
  SweepViewInputs inputs;
  inputs.plan = plan;
  inputs.quantity = SweepQuantity::sectors;
  inputs.find = [&](const SweepPoint& point) -> const SweepSample* {
    const auto at = samples.find(point.key);
    return at == samples.end() ? nullptr : &at->second;
  };
  const SweepView view = sweepViewOf(inputs);
  EXPECT_EQ(view.axis, "bytes of L1 sectors per FLOP");
  for (const SweepCell& cell : view.cells) {
    if (!cell.best) continue;
    EXPECT_GE(plan->points[cell.point].threads, 32U);
  }
  EXPECT_TRUE(std::ranges::any_of(view.cells, &SweepCell::best));
  EXPECT_FALSE(view.cells.front().best) << "1 x 1";
}

TEST_F(SweepPlans, KernelsWithoutOperationsAreShownInBytes) {
  in.main = {&transpose, {{"VARIANT", 1}, {"TILE_WIDTH", 32}}};
  in.comparison.reset();
  in.sizes = {{"m", 1024}, {"n", 1024}};
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(plan.x.textOf(2), "padded");
  const SweepView view = viewWith(plan, [](const SweepPoint&) { return 1.0; });
  EXPECT_EQ(view.axis, "bytes/s, each buffer once");
  EXPECT_DOUBLE_EQ(view.cells[0].value.value, 2 * 4.0 * 1024 * 1024 / 1e-3);
  in.device = &simt;
  const SweepPlan counted = makeSweepPlan(in);
  EXPECT_EQ(resolved(SweepQuantity::automatic, counted), SweepQuantity::sectors);
}

TEST_F(SweepPlans, KeysMoveBetweenCells) {
  in.kind = SweepKind::shapes;
  const SweepPlan plan = makeSweepPlan(in);
  const SweepView view = viewWith(plan, [](const SweepPoint& point) {
    return point.column == 3 && point.row == 2 ? 1.0 : 2.0;
  });
  const std::optional<size_t> first = neighbourOf(view, {}, 1, 0);
  ASSERT_TRUE(first);
  EXPECT_TRUE(view.cells[*first].best);  // Nothing was chosen, and no cell is the present choice.
  const auto placeOf = [&](std::optional<size_t> cell) {
    return std::pair{plan.points[*cell].column, plan.points[*cell].row};
  };
  EXPECT_EQ(placeOf(neighbourOf(view, first, 1, 0)), (std::pair<size_t, size_t>{4, 2}));
  EXPECT_EQ(placeOf(neighbourOf(view, first, 0, 1)), (std::pair<size_t, size_t>{3, 3}));
  EXPECT_EQ(placeOf(neighbourOf(view, first, 0, -1)), (std::pair<size_t, size_t>{3, 1}));
  EXPECT_EQ(neighbourOf(view, 0, -1, 0), 0U);  // It stays inside.
}

TEST_F(SweepPlans, MachinesOfARecordingAreListedByNumber) {
  device::DeviceInfo recorded;
  recorded.id = "recorded:test";
  recorded.name = "Test GPU";
  recorded.measures = true;
  recorded.recordedOn = "2026-11-21";
  in.device = &recorded;
  in.kind = SweepKind::tunable;
  auto plan = std::make_shared<SweepPlan>(makeSweepPlan(in));
  ASSERT_GE(plan->points.size(), 3U);
  constexpr std::array<uint32_t, 3> kNumbers{10, 2, 1};
  for (size_t i = 0; i < plan->points.size(); ++i) {
    SweepSample& sample = samples[plan->points[i].key];
    sample.time = timeOf(1);
    sample.when = "2026-11-21";
    sample.machine = kNumbers[i % 3];
    sample.on = "Test GPU no. " + std::to_string(sample.machine);
  }
  SweepViewInputs inputs;
  inputs.plan = plan;
  inputs.find = [this](const SweepPoint& point) { return &samples.at(point.key); };
  EXPECT_EQ(sweepViewOf(inputs).origin,
            "recorded on Test GPU no. 1, Test GPU no. 2 and Test GPU no. 10, 2026-11-21");
}

TEST_F(SweepPlans, WavefrontsArePerMultiplyAddOfAWarp) {
  const SweepPlan plan = makeSweepPlan(in);
  EXPECT_EQ(textOf(SweepQuantity::wavefronts, plan, 0.52),
            "0.52 wavefronts for each multiply-add of a warp");
  EXPECT_EQ(textOf(SweepQuantity::wavefronts, plan, 1),
            "1 wavefront for each multiply-add of a warp");
}

TEST_F(SweepPlans, TheShippedRecordingProvidesAllPoints) {
  const auto recording =
      lab::readRecording(support::sourceRoot() + "/assets/recordings/nvidia-h200.tsrec");
  ASSERT_TRUE(recording);
  device::DeviceInfo info = recording->device;
  info.id = "recorded:nvidia-h200";
  info.measures = true;
  in.device = &info;
  in.recording = &*recording;
  const auto viewOf = [&](SweepKind kind) {
    in.kind = kind;
    auto plan = std::make_shared<SweepPlan>(makeSweepPlan(in));
    samples = recordedSamples(*plan, *recording);
    SweepViewInputs inputs;
    inputs.plan = plan;
    inputs.find = [this](const SweepPoint& point) { return &samples.at(point.key); };
    return sweepViewOf(inputs);
  };
  const SweepView width = viewOf(SweepKind::tunable);
  EXPECT_TRUE(width.origin.starts_with("recorded on NVIDIA H200, ")) << width.origin;
  EXPECT_EQ(width.done, 64U) << "32 widths, and naive in equal blocks";
  EXPECT_EQ(width.missing, 0U);
  EXPECT_NEAR(width.cells[31].value.value, 9.03e12, 0.01e12);
  EXPECT_LT(width.cells[31].value.low, width.cells[31].value.value);
  EXPECT_TRUE(width.cells[31].best);
  EXPECT_EQ(width.waiting, 0U);
  const SweepView shapes = viewOf(SweepKind::shapes);
  EXPECT_EQ(shapes.done, 27U + 5U) << "the recorded map, and the squares among its columns";
  EXPECT_TRUE(std::ranges::all_of(shapes.plan->x.values, [](int64_t value) {
    return std::has_single_bit(static_cast<uint64_t>(value));
  })) << "the other squares add no columns";
  const SweepView sizes = viewOf(SweepKind::sizes);
  EXPECT_EQ(sizes.plan->x.values, (std::vector<int64_t>{64, 256, 512, 1024, 2048, 4096}));
  EXPECT_EQ(sizes.done, 12U);
  EXPECT_EQ(sizes.missing, 0U);
  // The kernel's code differs from the recorded one.
  tiled.source.text += "\n__device__ int more;\n";
  EXPECT_EQ(viewOf(SweepKind::tunable).done, 32U) << "only naive";
}

}  // namespace tilestep::features::sweep_plan_test
