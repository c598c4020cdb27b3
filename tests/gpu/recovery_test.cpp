// SPDX-License-Identifier: Apache-2.0
// Kernels that end badly on a GPU, each requested from a worker process. Checks the answer, and
// that the next request is served. Prints the time until then, but asserts nothing about it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

#include "base/files.h"
#include "device/cuda/driver/context.h"
#include "gpu/gpu_job.h"
#include "support/results.h"
#include "worker/client.h"

namespace tilestep::test::recovery_test {

using Clock = std::chrono::steady_clock;

struct Bad {
  const char* name;
  const char* body;
  const char* kind;  ///< The fault's kind; empty if the request is refused.
  const char* says;
};

const Bad kBad[] = {
    {"illegal address", "P[(1ll << 40) + threadIdx.x] = n;", "out-of-bounds",
     "CUDA_ERROR_ILLEGAL_ADDRESS"},
    {"misaligned address", "*(double*)((char*)P + 4 + 8 * threadIdx.x) = n;", "misaligned",
     "CUDA_ERROR_MISALIGNED_ADDRESS"},
    {"endless loop", "volatile float* p = P; while (p[0] != 12345.0f) { p[1] = n; }", "timeout",
     "ran past its time limit"},
    {"trap", "asm volatile(\"trap;\"); P[0] = n;", "launch-failed", "CUDA_ERROR_LAUNCH_FAILED"},
};

class Recovery : public ::testing::Test {
 protected:
  void SetUp() override {
    TILESTEP_SKIP_WITHOUT_GPU();
    const auto program = programPath().parent_path() / "tilestep";
    client = valueOrThrow(worker::Client::start({"'" + program.string() + "' worker", 0}));
    ASSERT_TRUE(good().ok());  // The device is open, as in a lesson.
  }

  static lab::Experiment experiment(const std::string& body) {
    lab::Experiment experiment;
    experiment.source.path = "test.cu";
    experiment.source.text = kernelText("__global__ void test(float* P, int n) { " + body + " }");
    experiment.sizes = {{"n", 1000}};
    experiment.device = "cuda:0";
    experiment.timeoutSeconds = 3;  // Compilation is included.
    return experiment;
  }
  Result<lab::RunResult> run(const lab::Experiment& what) {
    return answerOf(client->wait(client->run(what)));
  }
  static Result<lab::RunResult> answerOf(worker::Reply reply) {
    if (auto* error = std::get_if<Error>(&reply.body)) return *error;
    return (*std::get<lab::ResultPointer>(reply.body));
  }
  Result<lab::RunResult> good() { return run(experiment("P[threadIdx.x] = n;")); }

  /// The next request must be served; prints how long that took.
  void recovers(const std::string& after) {
    const auto begun = Clock::now();
    const Result<lab::RunResult> next = good();
    const std::chrono::duration<double> took = Clock::now() - begun;
    EXPECT_TRUE(next.ok()) << toString(next.error());
    if (next) {
      EXPECT_TRUE(next->faults.empty());
      EXPECT_TRUE(next->measurement.has_value());
    }
    std::printf("after %s the next request took %.2f s\n", after.c_str(), took.count());
  }

  std::unique_ptr<worker::Client> client;
};

TEST_F(Recovery, EachFaultIsReportedAndTheNextRequestServed) {
  for (const Bad& bad : kBad) {
    const Result<lab::RunResult> result = run(experiment(bad.body));
    ASSERT_TRUE(result.ok()) << bad.name << ": " << toString(result.error());
    ASSERT_EQ(result->faults.size(), 1U) << bad.name;
    const device::Fault& fault = result->faults[0];
    EXPECT_EQ(fault.kind, bad.kind) << bad.name;
    for (const char* part : {"test", bad.says, "--device simt"}) {
      EXPECT_TRUE(has(fault.message, part));
    }
    std::printf("%s: %s\n", bad.name, fault.message.c_str());
    recovers(bad.name);
  }
}

TEST_F(Recovery, ACancelledEndlessLoopMakesRoomForTheNext) {
  lab::Experiment endless = experiment(kBad[2].body);
  endless.timeoutSeconds = 600;
  const uint64_t id = client->run(endless);
  ::usleep(700'000);
  client->cancel(id);
  const auto begun = Clock::now();
  const Result<lab::RunResult> ended = answerOf(client->wait(id));
  const std::chrono::duration<double> took = Clock::now() - begun;
  EXPECT_FALSE(ended.ok());
  std::printf("a cancelled endless loop was given up after %.2f s\n", took.count());
  recovers("that");
}

TEST_F(Recovery, TooManyResourcesAndTooMuchMemoryLeaveTheWorkerWhole) {
  lab::Experiment wide = experiment("P[threadIdx.x] = n;");
  const size_t at = wide.source.text.find("\"32\"");
  ASSERT_NE(at, std::string::npos) << wide.source.text;
  wide.source.text.replace(at, 4, "\"2048\"");
  const Result<lab::RunResult> refused = run(wide);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::request) << toString(refused.error());
  std::printf("a block too wide: %s\n", refused.error().message.c_str());
  recovers("a block too wide");
  lab::Experiment large = experiment("P[0] = n;");
  large.sizes = {{"n", int64_t{1} << 36}};  // 256 GiB
  const Result<lab::RunResult> full = run(large);
  ASSERT_FALSE(full.ok());
  EXPECT_EQ(full.error().kind, ErrorKind::request) << toString(full.error());
  std::printf("too much memory: %s\n", full.error().message.c_str());
  recovers("too much memory");
}

/// Holds most of a GPU's memory, like another program on a shared GPU.
class Hog {
 public:
  static Result<Hog> open(uint64_t leaveBytes) {
    const auto driver = cuda::Driver::open();
    if (!driver) return driver.error();
    Hog hog;
    const auto context = cuda::Context::open(*driver, 0);
    if (!context) return context.error();
    hog.context_ = *context;
    size_t left = 0, all = 0;
    const auto info = (*driver)->api().memGetInfo(&left, &all);
    if (info != cuda::kSuccess || left < leaveBytes) return workError("the GPU is full already");
    auto memory = cuda::allocate(hog.context_, left - leaveBytes, "the hog");
    if (!memory) return memory.error();
    hog.memory_ = std::move(*memory);
    return hog;
  }

 private:
  cuda::ContextPtr context_;
  cuda::Memory memory_;
};

TEST_F(Recovery, FullMemoryIsReportedAndTheNextRequestServed) {
  lab::Experiment large = experiment("P[blockIdx.x * 32 + threadIdx.x] = n;");
  large.sizes = {{"n", int64_t{1} << 30}};  // 4 GiB, which passes every check.
  large.measure = false;
  {
    const auto hog = valueOrThrow(Hog::open(uint64_t{1} << 30));
    const auto begun = Clock::now();
    const Result<lab::RunResult> full = run(large);
    const std::chrono::duration<double> took = Clock::now() - begun;
    ASSERT_FALSE(full.ok());
    EXPECT_EQ(full.error().kind, ErrorKind::request) << toString(full.error());
    for (const char* part : {"the operands of test", "4,096 MiB", "MiB are free",
                             "CUDA_ERROR_OUT_OF_MEMORY", "--device simt"}) {
      EXPECT_TRUE(has(full.error().message, part));
    }
    std::printf("a full GPU, after %.2f s: %s\n", took.count(), full.error().message.c_str());
    recovers("a full GPU");
  }
  large.timeoutSeconds = 60;
  const Result<lab::RunResult> fits = run(large);
  EXPECT_TRUE(fits.ok()) << toString(fits.error());
}

}  // namespace tilestep::test::recovery_test
