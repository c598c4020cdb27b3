// SPDX-License-Identifier: Apache-2.0
// Jobs on a GPU: results and refusals.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>

#include "gpu/gpu_job.h"
#include "support/results.h"

namespace tilestep::test::device_test {

using device::Job;
using device::Outcome;

class OnGpu : public ::testing::Test {
 protected:
  void SetUp() override { gpu_ = openFirstGpu(); }

  Result<Outcome> run(const std::string& text, double timeoutSeconds = 60) {
    Result<Job> job = maker_.fromText(text, {{"n", 1000}});
    if (!job) return job.error();
    job->check = true;
    job->timeoutSeconds = timeoutSeconds;
    return gpu_->run(*job, {});
  }

  std::unique_ptr<device::Device> gpu_;
  JobMaker maker_;
};

TEST_F(OnGpu, DescribesItself) {
  TILESTEP_NEED_GPU(gpu_);
  const device::DeviceInfo& info = gpu_->info();
  std::printf("%s, %s, compute capability %s, %u multiprocessors, %u MHz, L2 %llu bytes\n",
              info.id.c_str(), info.name.c_str(), info.computeCapability->c_str(),
              info.multiprocessors, info.clockMhz, static_cast<unsigned long long>(info.l2Bytes));
  EXPECT_EQ(info.id, "cuda:0");
  EXPECT_TRUE(info.measures);
  EXPECT_GE(info.limits.threadsPerBlock, 512U);
  EXPECT_GE(info.limits.sharedBytesPerBlockOptIn, info.limits.sharedBytesPerBlock);
  EXPECT_GE(info.sharedBytesPerMultiprocessor, info.limits.sharedBytesPerBlockOptIn);
  EXPECT_GT(info.registersPerMultiprocessor, 0U);
  EXPECT_GT(info.threadsPerMultiprocessor, 0U);
  EXPECT_GT(info.blocksPerMultiprocessor, 0U);
  EXPECT_EQ(info.identity.size(), 16U) << "the hash of its UUID";
}

TEST_F(OnGpu, CountsUnwrittenElements) {
  TILESTEP_NEED_GPU(gpu_);
  const Result<Outcome> half = run(
      kernelText("__global__ void test(float* P, int n) { int i = blockIdx.x * 32 + threadIdx.x;"
                 " if (i < n && i % 2 == 0) P[i] = i; }"));
  ASSERT_TRUE(half.ok()) << toString(half.error());
  EXPECT_EQ(half->unwritten, std::optional<uint64_t>(500));
}

TEST_F(OnGpu, MeasuresAndReportsRegisters) {
  TILESTEP_NEED_GPU(gpu_);
  Job job = valueOrThrow(maker_.shipped("matmul_tiled", {{"m", 512}, {"n", 512}, {"k", 512}},
                                        {{"TILE_WIDTH", 16}}, gpu_->info().limits));
  job.measure = true;
  const Result<Outcome> outcome = gpu_->run(job, {});
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  ASSERT_TRUE(outcome->measurement.has_value());
  const device::Measurement& m = *outcome->measurement;
  std::printf("matmul_tiled 512: median %.4f ms, min %.4f, p10 %.4f, p90 %.4f, %u repetitions\n",
              m.medianMs, m.minMs, m.p10Ms, m.p90Ms, m.repetitions);
  EXPECT_GT(m.minMs, 0);
  EXPECT_LE(m.minMs, m.p10Ms);
  EXPECT_LE(m.p10Ms, m.medianMs);
  EXPECT_LE(m.medianMs, m.p90Ms);
  EXPECT_GE(m.repetitions, 5U);
  EXPECT_LE(m.repetitions, 200U);
  EXPECT_FALSE(m.recorded);
  EXPECT_GT(outcome->registers.value_or(0), 0U);
  EXPECT_TRUE(outcome->localBytes.has_value());
  EXPECT_EQ(outcome->sharedBytes, 2048U);
}

TEST_F(OnGpu, RestoresOperandsThatAreReadAndWritten) {
  TILESTEP_NEED_GPU(gpu_);
  const std::string text =
      "/*---\nentry = \"test\"\nsizes = { n = 1000 }\n[launch]\nblock = [\"32\"]\n"
      "grid = [\"ceildiv(n, 32)\"]\n[[operand]]\nname = \"P\"\nextent = \"n\"\n"
      "direction = \"inout\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "__global__ void test(float* P, int n) { int i = blockIdx.x * 32 + threadIdx.x;"
      " if (i < n) P[i] += 1; }";
  Job job = valueOrThrow(maker_.fromText(text, {{"n", 1000}}));
  const Outcome once = valueOrThrow(gpu_->run(job, {}));
  job.measure = true;
  job.counters = true;
  job.check = true;  // The counting run, after many timed runs, must give the same result.
  const Outcome many = valueOrThrow(gpu_->run(job, {}));
  EXPECT_TRUE(many.faults.empty()) << many.faults[0].message;
  EXPECT_TRUE(once.outputs == many.outputs);
}

// The last warp to write decides the result, so the counting run may differ.
TEST_F(OnGpu, ARacyKernelIsAFindingAndTheRestStays) {
  TILESTEP_NEED_GPU(gpu_);
  const std::string text =
      "/*---\nentry = \"test\"\nsizes = { n = 65536 }\n[launch]\nblock = [\"256\"]\n"
      "grid = [\"ceildiv(n, 256)\"]\n[[operand]]\nname = \"P\"\nextent = \"64\"\n"
      "direction = \"out\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "__global__ void test(volatile float* P, int n) { int i = blockIdx.x * 256 + threadIdx.x;"
      " for (int k = 0; k < 50; ++k) P[(i + k) % 64] = P[i % 64] * 0.5f + i; }";
  Job job = valueOrThrow(maker_.fromText(text, {{"n", 65536}}));
  job.counters = job.check = job.measure = true;
  const Outcome outcome = valueOrThrow(gpu_->run(job, {}));
  ASSERT_EQ(outcome.faults.size(), 1U);
  EXPECT_EQ(outcome.faults[0].kind, "results-differ");
  std::printf("%s\n", outcome.faults[0].message.c_str());
  for (const char* part : {"test", "differ", "race", "--device simt --check"}) {
    EXPECT_TRUE(has(outcome.faults[0].message, part));
  }
  EXPECT_TRUE(outcome.counters.has_value());
  EXPECT_TRUE(outcome.measurement.has_value());
  EXPECT_FALSE(outcome.outputs[0].empty());
  EXPECT_FALSE(gpu_->lost());
}

// The order of floating-point atomics determines the last bits, which is not a race.
TEST_F(OnGpu, AtomicSumsMayDifferFromRunToRun) {
  TILESTEP_NEED_GPU(gpu_);
  const std::string text =
      "/*---\nentry = \"test\"\nsizes = { n = 100000 }\n[launch]\nblock = [\"256\"]\n"
      "grid = [\"ceildiv(n, 256)\"]\n[[operand]]\nname = \"M\"\nextent = \"n\"\n"
      "direction = \"in\"\n[[operand]]\nname = \"P\"\nextent = \"1\"\ndirection = \"inout\"\n"
      "fill = \"zero\"\n[[operand]]\nname = \"n\"\nkind = \"scalar\"\n---*/\n"
      "__global__ void test(const float* M, float* P, int n) {"
      " int i = blockIdx.x * 256 + threadIdx.x; if (i < n) atomicAdd(P, M[i]); }";
  Job job = valueOrThrow(maker_.fromText(text, {{"n", 100000}}));
  job.counters = job.check = true;
  const Outcome outcome = valueOrThrow(gpu_->run(job, {}));
  EXPECT_TRUE(outcome.faults.empty()) << outcome.faults[0].message;
}

TEST_F(OnGpu, RefusesALaunchThatItsRegistersForbid) {
  TILESTEP_NEED_GPU(gpu_);
  Result<Job> job = maker_.fromText(
      kernelText("__global__ void test(float* P, int n) { P[0] = n; }"), {{"n", 1000}});
  ASSERT_TRUE(job.ok()) << toString(job.error());
  job->launches[0].block = {2048, 1, 1};
  const Result<Outcome> wide = gpu_->run(*job, {});
  ASSERT_FALSE(wide.ok());
  EXPECT_EQ(wide.error().kind, ErrorKind::request);
  EXPECT_TRUE(has(wide.error().message, "2048 threads per block"));
  job->launches[0].block = {32, 1, 1};
  job->launches[0].dynamicSharedBytes = gpu_->info().limits.sharedBytesPerBlockOptIn + 1;
  EXPECT_TRUE(fails(gpu_->run(*job, {}), "shared memory"));
  job->launches[0].dynamicSharedBytes = gpu_->info().limits.sharedBytesPerBlockOptIn;
  EXPECT_TRUE(gpu_->run(*job, {}).ok());
}

TEST_F(OnGpu, QuotesTheDriverOnBadPtx) {
  TILESTEP_NEED_GPU(gpu_);
  Result<Job> job = maker_.fromText(
      kernelText("__global__ void test(float* P, int n) { P[0] = n; }"), {{"n", 1000}});
  ASSERT_TRUE(job.ok()) << toString(job.error());
  job->ptx = ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry test() { nonsense; }";
  EXPECT_TRUE(fails(gpu_->run(*job, {}), "nonsense"));
}

TEST_F(OnGpu, MeasuresItsCeilingsOnce) {
  TILESTEP_NEED_GPU(gpu_);
  const auto probe = maker_.probe("ceilings", false);
  ASSERT_TRUE(probe.ok()) << toString(probe.error());
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tilestep-ceilings-" + std::to_string(getpid()));
  const auto first = device::cudaCeilings(0, (*probe)->ptx, folder.string());
  ASSERT_TRUE(first.ok()) << toString(first.error());
  std::printf(
      "%s, %s: DRAM %.1f GB/s, L2 %.1f GB/s, L1 %.2f TB/s, shared %.2f TB/s, "
      "FP32 %.2f TFLOP/s, copy %.1f GB/s, launch %.2f us, launch and wait %.2f us\n",
      first->device.c_str(), first->origin.c_str(), *first->dramBytesPerSecond * 1e-9,
      *first->l2BytesPerSecond * 1e-9, *first->l1BytesPerSecond * 1e-12,
      *first->sharedBytesPerSecond * 1e-12, *first->fp32FlopPerSecond * 1e-12,
      *first->dramCopyBytesPerSecond * 1e-9, *first->launchSeconds * 1e6,
      *first->launchAndWaitSeconds * 1e6);
  EXPECT_TRUE(first->measured);
  EXPECT_GT(*first->l2BytesPerSecond, *first->dramBytesPerSecond);
  EXPECT_GT(*first->l1BytesPerSecond, *first->l2BytesPerSecond);
  EXPECT_LT(*first->dramCopyBytesPerSecond, 1.1 * *first->dramBytesPerSecond);
  EXPECT_GT(*first->launchAndWaitSeconds, *first->launchSeconds);
  std::printf(
      "latencies: DRAM %.0f ns, L2 %.0f ns, L1 %.1f ns, shared %.1f ns, multiply-add %.2f ns, "
      "barrier %.1f ns; a block %.3f ns, a queued kernel %.2f us\n",
      *first->dramLatencySeconds * 1e9, *first->l2LatencySeconds * 1e9,
      *first->l1LatencySeconds * 1e9, *first->sharedLatencySeconds * 1e9,
      *first->instructionSeconds * 1e9, *first->barrierSeconds * 1e9,
      *first->blockStartSeconds * 1e9, *first->kernelStartSeconds * 1e6);
  EXPECT_GT(*first->dramLatencySeconds, *first->l2LatencySeconds);
  EXPECT_GT(*first->l2LatencySeconds, *first->l1LatencySeconds);
  EXPECT_GT(*first->l1LatencySeconds, *first->instructionSeconds);
  EXPECT_GT(*first->sharedLatencySeconds, *first->instructionSeconds);
  EXPECT_GT(*first->launchSeconds, *first->kernelStartSeconds);
  EXPECT_GT(*first->kernelStartSeconds, *first->blockStartSeconds);
  const auto second = device::cudaCeilings(0, (*probe)->ptx, folder.string());
  ASSERT_TRUE(second.ok()) << toString(second.error());
  EXPECT_EQ(second->origin, first->origin);
  EXPECT_NEAR(*second->fp32FlopPerSecond / *first->fp32FlopPerSecond, 1.0, 1e-5);
  std::filesystem::remove_all(folder);
}

TEST(NoGpu, OpeningReportsWhy) {
  if (!support::whyNoGpu()) GTEST_SKIP() << support::because(support::kGpuIsThere);
  const auto device = device::openCuda(0);
  ASSERT_FALSE(device.ok());
  EXPECT_EQ(device.error().kind, ErrorKind::request);
  EXPECT_TRUE(has(device.error().message, "--device simt"));
}

}  // namespace tilestep::test::device_test
