// SPDX-License-Identifier: Apache-2.0
// Machines with several GPUs; skipped if there are fewer than two.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "gpu/gpu_job.h"
#include "gpu/same_counts.h"
#include "support/results.h"
#include "worker/crew.h"

namespace tilestep::test::several_test {

class SeveralGpus : public ::testing::Test {
 protected:
  void SetUp() override {
    TILESTEP_SKIP_WITHOUT_GPU();
    ASSERT_GT(device::cudaCount(), 0U) << gpuTrouble();
    if (device::cudaCount() < 2) GTEST_SKIP() << support::because(support::kNoSecondGpu);
  }

  static std::vector<std::unique_ptr<worker::Client>> workers(size_t count) {
    const auto program = programPath().parent_path() / "tilestep";
    std::vector<std::unique_ptr<worker::Client>> clients;
    for (size_t i = 0; i < count; ++i) {
      auto started = worker::Client::start({"'" + program.string() + "' worker", 2});
      EXPECT_TRUE(started.ok()) << toString(started.error());
      if (started) clients.push_back(std::move(*started));
    }
    return clients;
  }

  JobMaker maker_;
};

TEST_F(SeveralGpus, EachIsDescribedWithoutBeingOpened) {
  const std::vector<device::DeviceInfo> infos = device::cudaDevices();
  ASSERT_EQ(infos.size(), device::cudaCount());
  std::map<std::string, int> places;
  for (size_t i = 0; i < infos.size(); ++i) {
    EXPECT_EQ(infos[i].id, "cuda:" + std::to_string(i));
    EXPECT_FALSE(infos[i].place.empty());
    ++places[infos[i].place];
    std::printf("%s %s at %s\n", infos[i].id.c_str(), infos[i].name.c_str(),
                infos[i].place.c_str());
  }
  EXPECT_EQ(places.size(), infos.size()) << "a lock for each";
}

// One process uses both in turn; each keeps its own context.
TEST_F(SeveralGpus, TheSecondGivesTheSameResultsAndCounts) {
  auto first = device::openCuda(0), second = device::openCuda(1);
  ASSERT_TRUE(first.ok() && second.ok());
  for (const auto& gpu : {second->get(), first->get(), second->get()}) {
    device::Job job =
        valueOrThrow(maker_.shipped("matmul_tiled", {{"m", 100}, {"n", 61}, {"k", 37}},
                                    {{"TILE_WIDTH", 8}}, gpu->info().limits));
    expectSameCounts(*gpu, job);
    job.measure = true;
    job.traceBlock = Dim3{0, 0, 0};
    const device::Outcome outcome = valueOrThrow(gpu->run(job, {}));
    EXPECT_TRUE(outcome.measurement.has_value());
    EXPECT_EQ(outcome.traceFrom, gpu->info().id) << outcome.traceNote;
  }
}

TEST_F(SeveralGpus, EachHasCeilingsOfItsOwn) {
  const auto probe = maker_.probe("ceilings", false);
  ASSERT_TRUE(probe.ok()) << toString(probe.error());
  const auto folder =
      std::filesystem::temp_directory_path() / ("tilestep-ceilings-" + std::to_string(getpid()));
  for (const unsigned ordinal : {0U, 1U}) {
    const auto ceilings = device::cudaCeilings(ordinal, (*probe)->ptx, folder.string());
    ASSERT_TRUE(ceilings.ok()) << toString(ceilings.error());
    std::printf("cuda:%u DRAM %.0f GB/s, FP32 %.2f TFLOP/s\n", ordinal,
                *ceilings->dramBytesPerSecond * 1e-9, *ceilings->fp32FlopPerSecond * 1e-12);
  }
  const auto files = std::filesystem::directory_iterator(folder / "ceilings");
  EXPECT_EQ(std::distance(begin(files), end(files)), 2);
  std::filesystem::remove_all(folder);
}

/// The result of a sweep of one kernel: the number of points per device, and the seconds.
struct Swept {
  std::map<std::string, int> points;
  std::map<int64_t, double> medianMs;
  double seconds = 0;
};

TEST_F(SeveralGpus, WorkersOfASweepTakeOneEach) {
  const auto source =
      valueOrThrow(compile::findKernel((findHome().value() / "kernels").string(), "matmul_tiled"));
  std::vector<lab::Experiment> experiments;
  for (int64_t width = 1; width <= 32; ++width) {
    lab::Experiment experiment;
    experiment.source = source;
    experiment.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
    experiment.tunables = {{"TILE_WIDTH", width}};
    experiments.push_back(std::move(experiment));
  }
  const auto sweep = [&](size_t count, std::vector<unsigned> shares) {
    Swept swept;
    worker::Crew::Events events;
    events.interrupted = [] { return false; };
    events.tick = [](size_t, const auto&) {};
    events.left = [](const Error& why) { ADD_FAILURE() << why.message; };
    events.done = [&](size_t index, worker::Crew::Outcome outcome) {
      ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
      ++swept.points[outcome->device.id];
      if (outcome->measurement) {
        swept.medianMs[static_cast<int64_t>(index) + 1] = outcome->measurement->medianMs;
      }
    };
    const auto begun = std::chrono::steady_clock::now();
    worker::Crew crew(workers(count), std::move(shares));
    EXPECT_TRUE(crew.run(experiments, 0, events).ok());
    swept.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    return swept;
  };
  const Swept one = sweep(1, {});
  const Swept two = sweep(2, {0, 1});
  EXPECT_EQ(one.points.size(), 1U);
  EXPECT_EQ(two.points.size(), 2U);
  double apart = 0;
  for (const auto& [width, ms] : one.medianMs) {
    ASSERT_TRUE(two.medianMs.contains(width));
    apart = std::max(apart, std::abs(two.medianMs.at(width) / ms - 1));
  }
  std::printf(
      "32 points: one worker %.2f s, two on two GPUs %.2f s; medians at most %.2f %% apart\n",
      one.seconds, two.seconds, apart * 100);
  EXPECT_LT(apart, 0.05);
  for (const auto& [id, points] : two.points) std::printf("  %s ran %d\n", id.c_str(), points);
}

}  // namespace tilestep::test::several_test
