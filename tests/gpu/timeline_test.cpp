// SPDX-License-Identifier: Apache-2.0
// Timelines of shipped kernels on a GPU: the program's results do not change, every block occurs
// once, and the occupancy equals that of the hardware's counters.
#include "metrics/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "gpu/gpu_job.h"
#include "support/results.h"

namespace tilestep::device::timeline_test {

Result<Job> timelineJob(test::JobMaker& maker, const std::string& kernel,
                        const compile::Bindings& sizes, const compile::Bindings& tunables,
                        const Limits& limits) {
  Result<Job> job = maker.shipped(kernel, sizes, tunables, limits);
  if (!job) return job;
  auto clocks = maker.probe("clocks", false);
  if (!clocks) return clocks.error();
  job->clockProbe = (*clocks)->ptx;
  job->timeline = true;
  job->check = true;
  return job;
}

void expectWhole(const Job& job, const trace::Timeline& t, uint32_t barriers) {
  EXPECT_EQ(t.blocks(), job.launches[0].grid.count());
  EXPECT_TRUE(t.check().ok());
  EXPECT_EQ(t.epochs, barriers + 1);
  EXPECT_EQ(*std::min_element(t.startNs.begin(), t.startNs.end()), 0U);
  EXPECT_GT(t.price, 0);
  for (size_t b = 0; b < t.blocks(); ++b) {
    EXPECT_LT(t.sm[b], t.multiprocessors);
    EXPECT_GE(t.endNs[b], t.startNs[b]);
    EXPECT_EQ(t.startNs[b] % t.tickNs, 0U);
  }
  // Under compute-sanitizer's racecheck, blocks run too long to store epochs.
  EXPECT_EQ(t.rows() > 0, t.epochStep > 0);
  for (size_t row = 0; row < t.rows(); ++row) {
    const auto sum = [&](const std::vector<uint32_t>& cells) {
      return std::accumulate(cells.begin() + static_cast<ptrdiff_t>(row * t.epochs),
                             cells.begin() + static_cast<ptrdiff_t>((row + 1) * t.epochs),
                             uint64_t{0});
    };
    ASSERT_EQ(sum(t.epochBusy), t.busyWarpCycles[row * t.epochStep]) << row;
    ASSERT_EQ(sum(t.epochWait), t.waitWarpCycles[row * t.epochStep]) << row;
  }
}

struct Reference {
  const char* kernel;
  compile::Bindings tunables;
  uint32_t barriers;
  double percent;  ///< sm__warps_active.avg.pct_of_peak_sustained_active, N = 1024, one H200.
};

const std::vector<Reference>& references() {
  static const std::vector<Reference> all{
      {"matmul_naive", {{"BLOCK_X", 16}, {"BLOCK_Y", 16}}, 0, 91.7},
      {"matmul_naive", {{"BLOCK_X", 32}, {"BLOCK_Y", 8}}, 0, 90.5},
      {"matmul_tiled", {{"TILE_WIDTH", 4}}, 512, 48.9},
      {"matmul_tiled", {{"TILE_WIDTH", 8}}, 256, 91.4},
      {"matmul_tiled", {{"TILE_WIDTH", 16}}, 128, 90.8},
      {"matmul_tiled", {{"TILE_WIDTH", 32}}, 64, 93.7}};
  return all;
}

TEST(TimelineOnGpu, OccupancyIsTheHardwares) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  test::JobMaker maker;
  for (const Reference& r : references()) {
    const auto job = valueOrThrow(timelineJob(
        maker, r.kernel, {{"m", 1024}, {"n", 1024}, {"k", 1024}}, r.tunables, gpu->info().limits));
    const auto outcome = gpu->run(job, {});
    ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
    ASSERT_TRUE(outcome->timeline) << outcome->timelineNote;
    const trace::Timeline& t = *outcome->timeline;
    expectWhole(job, t, r.barriers);
    EXPECT_GT(t.rows(), 0U);
    EXPECT_GT(t.price, 0) << r.kernel;
    const double percent = metrics::achievedOccupancy(t) * 100;
    const metrics::Waves w = metrics::waves(t);
    std::printf(
        "%s %ldx%ld: occupancy %.1f %% (hardware %.1f), price %.3f, tick %u ns, %.0f MHz, waves "
        "%.2f of %u together, tail %.1f %%, at barriers %.1f %%, span %.1f us, registers %u of "
        "%u, rows %zu\n",
        r.kernel, static_cast<long>(r.tunables.begin()->second),
        static_cast<long>(r.tunables.rbegin()->second), percent, r.percent, t.price, t.tickNs,
        t.clockMhz, w.waves, w.blocksTogether, w.tailShare * 100,
        metrics::barrierWaitShare(t) * 100, static_cast<double>(metrics::spanNs(t)) / 1000,
        t.registers, t.plainRegisters, t.rows());
    if (gpu->info().name != "NVIDIA H200") continue;
    EXPECT_NEAR(percent, r.percent, 3) << r.kernel;
  }
}

TEST(TimelineOnGpu, KeepsResultsOfOddShapesToTheBit) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  test::JobMaker maker;
  struct Case {
    const char* kernel;
    compile::Bindings sizes, tunables;
    uint32_t barriers;
  };
  const std::vector<Case> cases{
      {"matmul_naive", {{"m", 1}, {"n", 1}, {"k", 1}}, {}, 0},
      {"matmul_naive", {{"m", 100}, {"n", 61}, {"k", 37}}, {{"BLOCK_X", 5}, {"BLOCK_Y", 7}}, 0},
      {"matmul_tiled", {{"m", 100}, {"n", 61}, {"k", 37}}, {{"TILE_WIDTH", 5}}, 16},
      {"matmul_tiled", {{"m", 33}, {"n", 33}, {"k", 33}}, {{"TILE_WIDTH", 32}}, 4},
      {"matmul_tiled_dynamic", {{"m", 100}, {"n", 61}, {"k", 37}}, {}, 6}};
  for (const Case& c : cases) {
    const auto job =
        valueOrThrow(timelineJob(maker, c.kernel, c.sizes, c.tunables, gpu->info().limits));
    // With `check` the device compares the outputs byte by byte.
    const auto outcome = gpu->run(job, {});
    ASSERT_TRUE(outcome.ok()) << c.kernel << ": " << toString(outcome.error());
    EXPECT_TRUE(outcome->faults.empty()) << outcome->faults[0].message;
    ASSERT_TRUE(outcome->timeline) << outcome->timelineNote;
    expectWhole(job, *outcome->timeline, c.barriers);
  }
}

TEST(TimelineOnGpu, ARefusalKeepsOtherResults) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  test::JobMaker maker;
  auto job = valueOrThrow(timelineJob(maker, "matmul_naive", {{"m", 64}, {"n", 64}, {"k", 64}}, {},
                                      gpu->info().limits));
  job.launches.push_back(job.launches[0]);
  const auto outcome = valueOrThrow(gpu->run(job, {}));
  EXPECT_FALSE(outcome.timeline);
  EXPECT_TRUE(has(outcome.timelineNote, "launched 2 times"));
  EXPECT_FALSE(outcome.outputs.empty());
}

TEST(TimelineOnInterpreter, IsAbsentWithAReason) {
  const auto simt = openSimt(1);
  test::JobMaker maker;
  auto job = valueOrThrow(maker.shipped("matmul_naive", {{"m", 8}, {"n", 8}, {"k", 8}}, {}, {}));
  job.timeline = true;
  const auto outcome = valueOrThrow(simt->run(job, {}));
  EXPECT_FALSE(outcome.timeline);
  EXPECT_TRUE(has(outcome.timelineNote, "gives no times"));
}

}  // namespace tilestep::device::timeline_test
