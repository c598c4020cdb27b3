// SPDX-License-Identifier: Apache-2.0
// The state after a kernel's fault, and after one that does not end. Either may cost the process
// the GPU, so each test has a process of its own.
#include <gtest/gtest.h>

#include "gpu/gpu_job.h"
#include "support/own_process.h"
#include "support/results.h"

namespace tilestep::test::fault_test {

using device::Job;
using device::Outcome;

const support::OwnProcess ownProcess{"Faults"};

class Faults : public ::testing::Test {
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

TEST_F(Faults, ATimeLimitEndsTheWait) {
  TILESTEP_NEED_GPU(gpu_);
  // About two seconds: long after the limit, and over before the tests are.
  const Result<Outcome> outcome =
      run(kernelText("__global__ void test(float* P, int n) { long long start = clock64();"
                     " while (clock64() - start < 4000000000ll) {} P[0] = n; }"),
          0.3);
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  ASSERT_EQ(outcome->faults.size(), 1U);
  EXPECT_EQ(outcome->faults[0].kind, "timeout");
  EXPECT_TRUE(has(outcome->faults[0].message, "test ran past its time limit"));
  const Result<Outcome> next =
      run(kernelText("__global__ void test(float* P, int n) { P[0] = n; }"));
  ASSERT_FALSE(next.ok());
  EXPECT_TRUE(has(next.error().message, "never ended"));
}

TEST_F(Faults, AFaultIsReportedAndTheNextJobRefused) {
  TILESTEP_NEED_GPU(gpu_);
  const Result<Outcome> outcome = run(
      kernelText("__global__ void test(float* P, int n) { P[(1ll << 40) + threadIdx.x] = n; }"));
  ASSERT_TRUE(outcome.ok()) << toString(outcome.error());
  ASSERT_EQ(outcome->faults.size(), 1U);
  EXPECT_EQ(outcome->faults[0].kind, "out-of-bounds");
  EXPECT_TRUE(has(outcome->faults[0].message, "test"));
  const Result<Outcome> next =
      run(kernelText("__global__ void test(float* P, int n) { P[0] = n; }"));
  ASSERT_FALSE(next.ok());
  EXPECT_TRUE(has(next.error().message, "start the worker again"));
}

}  // namespace tilestep::test::fault_test
