// SPDX-License-Identifier: Apache-2.0
// Live mode: consecutive launches. bench/live_bench measures its overhead for the kernel.
#include "device/cuda/measure/live.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "base/files.h"
#include "device/live.h"
#include "gpu/gpu_job.h"
#include "support/results.h"
#include "worker/client.h"

namespace tilestep::device::live_test {

using Clock = std::chrono::steady_clock;

struct Streamed {
  std::vector<LiveBatch> batches;
  std::string ended;
  size_t samples = 0;
};

/// Streams until there are `batches` batches.
Streamed stream(Device& gpu, const Job& job, size_t batches) {
  Streamed streamed;
  const LiveOrder order{[&](LiveBatch&& batch) {
                          streamed.samples += batch.ms.size();
                          streamed.batches.push_back(std::move(batch));
                        },
                        {}};
  const Status ended = gpu.live(job, order, [&] { return streamed.batches.size() >= batches; });
  streamed.ended = ended ? "" : ended.error().message;
  return streamed;
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
  EXPECT_TRUE(fails(simt->live({}, {}, {}), "gives no times"));
}

TEST(LiveOnGpu, SamplesFollowTheLaunchesInOrderWithoutLoss) {
  const auto gpu = test::openFirstGpu();
  TILESTEP_NEED_GPU(gpu);
  test::JobMaker maker;
  struct Case {
    const char* kernel;
    int64_t size;
  };
  for (const Case& c :
       {Case{"matmul_naive", 4096}, Case{"matmul_tiled", 1024}, Case{"transpose", 256}}) {
    SCOPED_TRACE(c.kernel);
    const compile::KernelSpec spec = test::JobMaker::spec(c.kernel).value();
    compile::Bindings sizes;
    for (const auto& size : spec.sizes) sizes[size.first] = c.size;
    auto job = valueOrThrow(maker.shipped(c.kernel, sizes, {}, gpu->info().limits));
    const Streamed live = stream(*gpu, job, 20);
    EXPECT_NE(live.ended, "") << "only cancelling ends it";
    ASSERT_GE(live.batches.size(), 20U) << live.ended;
    EXPECT_GT(live.samples, 10U);
    bool isClockRead = false;
    double before = 0;
    for (const LiveBatch& batch : live.batches) {
      isClockRead |= batch.clockMhz.value_or(0) > 0;
      EXPECT_EQ(batch.atMs.size(), batch.ms.size());
      EXPECT_GE(batch.startMs, before);
      if (!batch.atMs.empty()) before = batch.startMs + batch.atMs.back();
      EXPECT_EQ(batch.dropped, 0U);
    }
    EXPECT_TRUE(isClockRead) << "the clock of the multiprocessors";
  }
}

/// The batches of a stream within this time.
std::vector<LiveBatch> takeFor(worker::Client& client, uint64_t id, double seconds) {
  std::vector<LiveBatch> batches;
  const auto begun = Clock::now();
  while (std::chrono::duration<double>(Clock::now() - begun).count() < seconds) {
    while (auto batch = client.samples(id)) batches.push_back(std::move(*batch));
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return batches;
}

TEST(LiveOnGpu, AWorkerStreamsUntilCancelledAndThenDoesOtherWork) {
  TILESTEP_SKIP_WITHOUT_GPU();
  const auto program = programPath().parent_path() / "tilestep";
  auto client = valueOrThrow(worker::Client::start({"'" + program.string() + "' worker", 0, {}}));
  lab::Experiment experiment;
  experiment.source = compile::findKernel(test::homeFolder() + "/kernels", "matmul_tiled").value();
  experiment.sizes = {{"m", 1024}, {"n", 1024}, {"k", 1024}};
  experiment.device = "cuda:0";
  const uint64_t id = client->live(experiment);
  // Longer than two pauses, in which another Tilestep could use the GPU.
  const std::vector<LiveBatch> batches = takeFor(*client, id, 4.5);
  size_t samples = 0;
  double end = 0;
  for (const LiveBatch& batch : batches) {
    samples += batch.ms.size();
    EXPECT_EQ(batch.dropped, 0U);
    EXPECT_GE(batch.startMs, end - 1e-3);
    if (!batch.ms.empty()) end = batch.startMs + batch.atMs.back();
  }
  EXPECT_GT(samples, 500U);
  EXPECT_FALSE(client->poll()) << "the stream goes on";
  const auto cancelled = Clock::now();
  client->cancel(id);
  const worker::Reply reply = client->wait(id);
  EXPECT_TRUE(std::holds_alternative<Error>(reply.body));
  EXPECT_FALSE(reply.lost);
  const std::chrono::duration<double, std::milli> took = Clock::now() - cancelled;
  std::printf(
      "worker: %zu samples in %zu batches over %.2f s of the GPU; cancelled after %.0f ms\n",
      samples, batches.size(), end / 1e3, took.count());
  const worker::Reply next = client->wait(client->run(experiment));
  ASSERT_TRUE(std::holds_alternative<lab::ResultPointer>(next.body));
  EXPECT_TRUE((*std::get<lab::ResultPointer>(next.body)).measurement);
}

TEST(LiveOnGpu, AKernelThatFaultsEndsTheStreamInASentence) {
  TILESTEP_SKIP_WITHOUT_GPU();
  const auto program = programPath().parent_path() / "tilestep";
  auto client = valueOrThrow(worker::Client::start({"'" + program.string() + "' worker", 0, {}}));
  lab::Experiment experiment;
  experiment.source.path = "test.cu";
  experiment.source.text = test::kernelText(
      "__global__ void test(float* P, int n) { P[(1ll << 40) + threadIdx.x] = n; }");
  experiment.sizes = {{"n", 1000}};
  experiment.device = "cuda:0";
  const worker::Reply reply = client->wait(client->live(experiment));
  const auto* error = std::get_if<Error>(&reply.body);
  ASSERT_NE(error, nullptr);
  EXPECT_TRUE(has(error->message, "CUDA_ERROR_ILLEGAL_ADDRESS"));
  std::printf("a fault: %s\n", error->message.c_str());
}

}  // namespace tilestep::device::live_test
