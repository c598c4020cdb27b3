// SPDX-License-Identifier: Apache-2.0
// Live mode: launches one after the other, and what it takes from the kernel's own throughput.
#include "device/cuda/measure/live.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/files.h"
#include "device/live.h"
#include "gpu/gpu_job.h"
#include "worker/client.h"

namespace tilestep::device {
namespace live_test {

using Clock = std::chrono::steady_clock;

/// The share of the kernel's own throughput that live mode leaves: 99 % on an H200. More than all
/// of it would mean launches that did not run.
constexpr double kLeastShare = 0.95, kMostShare = 1.15;
/// The same for the shortest kernels where the driver replays no graphs: launched singly they had
/// 88 %.
constexpr double kLeastShareSingly = 0.75;

struct Streamed {
  std::vector<LiveBatch> batches;
  std::vector<double> gapsMs;  ///< Between batches, by the host's clock.
  std::string ended;
  double seconds = 0;
  uint64_t launches = 0;
  std::vector<double> ms;  ///< Times of all samples.
  [[nodiscard]] double perSecond() const { return static_cast<double>(launches) / seconds; }
};

/// Streams for so long; rates count from the first batch on.
Streamed streamFor(Device& gpu, const Job& job, double seconds) {
  Streamed streamed;
  const auto begun = Clock::now();
  auto last = begun, first = begun;
  const auto since = [](Clock::time_point from) {
    return std::chrono::duration<double>(Clock::now() - from).count();
  };
  const LiveOrder order{[&](LiveBatch&& batch) {
                          if (streamed.batches.empty())
                            first = Clock::now();
                          else
                            streamed.gapsMs.push_back(since(last) * 1e3);
                          if (!streamed.batches.empty()) streamed.launches += batch.launches;
                          last = Clock::now();
                          streamed.ms.insert(streamed.ms.end(), batch.ms.begin(), batch.ms.end());
                          streamed.batches.push_back(std::move(batch));
                        },
                        {}};
  const Status ended = gpu.live(job, order, [&] { return since(begun) > seconds; });
  streamed.ended = ended ? "" : ended.error().message;
  streamed.seconds = std::chrono::duration<double>(last - first).count();
  return streamed;
}

double leastShare(const Measurement& alone) {
  constexpr double kShortMs = 0.1;
  const bool isReplayed = alone.method.find("replayed as a graph") != std::string::npos;
  return alone.medianMs < kShortMs && !isReplayed ? kLeastShareSingly : kLeastShare;
}

double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[static_cast<size_t>(share * double(values.size() - 1))];
}

TEST(LivePlan, TimesAtMostAThousandLaunchesASecondAndFitsTheQueue) {
  for (const double ms : {0.001, 0.003, 0.02, 0.28, 0.999, 1.0, 25.0, 900.0}) {
    for (const uint32_t commands : {1U, 5U, 300U, 5000U}) {
      for (const bool canReplay : {false, true}) {
        const cuda::LivePlan plan = cuda::planLive(ms, commands, canReplay);
        EXPECT_GE(plan.every, 1U);
        EXPECT_EQ(plan.group % plan.every, 0U) << ms;
        const uint32_t queued =
            plan.replay ? plan.group / plan.every * (commands + 3) : plan.group * commands;
        EXPECT_LE(queued, std::max(400U, 2 * commands * plan.every)) << ms << " " << commands;
        EXPECT_EQ(plan.replay, canReplay && plan.every > 8);
        if (commands == 1 && canReplay) {
          EXPECT_GE(plan.every * ms, 0.9);
        }
      }
    }
  }
  EXPECT_EQ(cuda::planLive(25, 1, true).every, 1U);
  EXPECT_EQ(cuda::planLive(25, 1, true).group, 1U);
}

TEST(LiveOnInterpreter, IsRefusedInASentence) {
  const auto simt = openSimt(1);
  const Status refused = simt->live({}, {}, {});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("gives no times"), std::string::npos);
}

TEST(LiveOnGpu, TakesLittleFromTheKernelsThroughput) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  test::JobMaker maker;
  struct Case {
    const char* kernel;
    int64_t size;
    double seconds;
  };
  for (const Case& c :
       {Case{"matmul_naive", 4096, 3}, Case{"matmul_tiled", 4096, 3}, Case{"matmul_tiled", 1024, 3},
        Case{"matmul_naive", 1024, 2}, Case{"matmul_tiled", 256, 2}, Case{"transpose", 1024, 2}}) {
    const compile::KernelSpec spec = test::JobMaker::spec(c.kernel).value();
    compile::Bindings sizes;
    for (const auto& size : spec.sizes) sizes[size.first] = c.size;
    auto job = maker.shipped(c.kernel, sizes, {}, gpu->info().limits);
    ASSERT_TRUE(job.ok()) << toString(job.error());
    job->measure = true;
    const auto alone = gpu->run(*job, {});
    ASSERT_TRUE(alone.ok()) << toString(alone.error());
    const Streamed live = streamFor(*gpu, *job, c.seconds);
    EXPECT_NE(live.ended, "") << "only cancelling ends it";
    ASSERT_GT(live.ms.size(), 10U) << live.ended;
    const double aloneMs = alone->measurement->medianMs;
    double clock = 0;
    for (const LiveBatch& batch : live.batches) clock = batch.clockMhz.value_or(clock);
    EXPECT_GT(clock, 0) << "the multiprocessors' clock is read";
    std::printf(
        "%s %ld: alone %.5f ms (%s); live %.1f launches/s = %.2f %% of alone; one of %u timed, "
        "samples %zu, median %.5f ms (p10 %.5f, p90 %.5f); batches every %.0f ms (p90 %.0f); "
        "clock %.0f MHz\n",
        c.kernel, static_cast<long>(c.size), aloneMs, alone->measurement->method.c_str(),
        live.perSecond(), 100 * live.perSecond() * aloneMs / 1e3, live.batches.back().every,
        live.ms.size(), quantile(live.ms, 0.5), quantile(live.ms, 0.1), quantile(live.ms, 0.9),
        quantile(live.gapsMs, 0.5), quantile(live.gapsMs, 0.9), clock);
    // Both were timed a moment apart, so their ratio says little of what else the machine does.
    const double share = live.perSecond() * aloneMs / 1e3;
    EXPECT_GT(share, leastShare(*alone->measurement)) << c.kernel << " " << c.size;
    EXPECT_LT(share, kMostShare) << c.kernel << " " << c.size;
    double before = 0;
    for (const LiveBatch& batch : live.batches) {
      EXPECT_EQ(batch.atMs.size(), batch.ms.size());
      EXPECT_GE(batch.startMs, before) << "samples come in the order of their launches";
      if (!batch.atMs.empty()) before = batch.startMs + batch.atMs.back();
      EXPECT_EQ(batch.dropped, 0U);
    }
    EXPECT_LE(quantile(live.gapsMs, 0.5), 100) << "ten batches a second";
    EXPECT_GT(quantile(live.ms, 0.5), 0.7 * aloneMs);
    EXPECT_LT(quantile(live.ms, 0.5), 1.1 * aloneMs + 0.01);
  }
}

/// Takes what comes of a stream for so long.
std::vector<LiveBatch> takeFor(worker::Client& client, uint64_t id, double seconds) {
  std::vector<LiveBatch> batches;
  const auto begun = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begun).count() < seconds) {
    while (auto batch = client.samples(id)) batches.push_back(std::move(*batch));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return batches;
}

TEST(LiveOnGpu, AWorkerStreamsUntilCancelledAndGoesOnWithOtherWork) {
  TILESTEP_SKIP_WITHOUT_GPU();
  const auto program = programPath().parent_path() / "tilestep";
  auto client = worker::Client::start({"'" + program.string() + "' worker", 0, {}});
  ASSERT_TRUE(client.ok()) << toString(client.error());
  lab::Experiment experiment;
  experiment.source = compile::findKernel(test::homeFolder() + "/kernels", "matmul_tiled").value();
  experiment.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  experiment.device = "cuda:0";
  const uint64_t id = (*client)->live(experiment);
  // Over two breaths, in which another Tilestep would get its turn.
  const std::vector<LiveBatch> batches = takeFor(**client, id, 4.5);
  size_t samples = 0;
  double end = 0;
  for (const LiveBatch& batch : batches) {
    samples += batch.ms.size();
    EXPECT_EQ(batch.dropped, 0U);
    EXPECT_GE(batch.startMs, end - 1e-3);
    if (!batch.ms.empty()) end = batch.startMs + batch.atMs.back();
  }
  EXPECT_GT(samples, 500U);
  EXPECT_FALSE((*client)->poll()) << "the stream goes on";
  const auto cancelled = Clock::now();
  (*client)->cancel(id);
  const worker::Reply reply = (*client)->wait(id);
  EXPECT_TRUE(std::holds_alternative<Error>(reply.body));
  EXPECT_FALSE(reply.lost);
  const std::chrono::duration<double, std::milli> took = Clock::now() - cancelled;
  std::printf(
      "worker: %zu samples in %zu batches over %.2f s of the GPU; cancelled after %.0f ms\n",
      samples, batches.size(), end / 1e3, took.count());
  const worker::Reply next = (*client)->wait((*client)->run(experiment));
  ASSERT_TRUE(std::holds_alternative<lab::RunResult>(next.body));
  EXPECT_TRUE(std::get<lab::RunResult>(next.body).measurement);
}

TEST(LiveOnGpu, AKernelThatFaultsEndsTheStreamInASentence) {
  TILESTEP_SKIP_WITHOUT_GPU();
  const auto program = programPath().parent_path() / "tilestep";
  auto client = worker::Client::start({"'" + program.string() + "' worker", 0, {}});
  ASSERT_TRUE(client.ok()) << toString(client.error());
  lab::Experiment experiment;
  experiment.source.path = "test.cu";
  experiment.source.text = test::kernelText(
      "__global__ void test(float* P, int n) { P[(1ll << 40) + threadIdx.x] = n; }");
  experiment.sizes = {{"n", 1000}};
  experiment.device = "cuda:0";
  const worker::Reply reply = (*client)->wait((*client)->live(experiment));
  const auto* error = std::get_if<Error>(&reply.body);
  ASSERT_NE(error, nullptr);
  EXPECT_NE(error->message.find("CUDA_ERROR_ILLEGAL_ADDRESS"), std::string::npos) << error->message;
  std::printf("a fault: %s\n", error->message.c_str());
}

}  // namespace live_test
}  // namespace tilestep::device
