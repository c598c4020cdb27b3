// SPDX-License-Identifier: Apache-2.0
// Every rung of the ladder on a GPU: equal to float64 at odd sizes, with other tunables, and for
// any alignment of its matrices; nothing outside P is written. tests/gpu/sanitize.sh runs small
// sizes under compute-sanitizer.
#include "support/ladder.h"

#include <gtest/gtest.h>

#include "gpu/gpu_job.h"
#include "gpu/placed_run.h"
#include "lab/reference.h"
#include "support/results.h"

namespace tilestep::test::ladder_test {

using compile::Bindings;
using support::Shape;
using Shifts = std::vector<uint32_t>;

/// Offsets of M, N and P, in bytes, after a boundary of 16.
const std::vector<Shifts> kShifts{{0, 0, 0},  {4, 0, 0},  {0, 4, 0},  {0, 0, 4}, {8, 8, 8},
                                  {12, 4, 8}, {4, 8, 12}, {8, 0, 12}, {0, 12, 4}};

class LadderOnGpu : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() {
    maker_ = new JobMaker();
    if (support::whyNoGpu()) return;
    const auto driver = valueOrThrow(cuda::Driver::open());
    const auto info = valueOrThrow(cuda::readDeviceInfo(*driver, 0));
    const auto context = valueOrThrow(cuda::Context::open(driver, 0));
    info_ = new device::DeviceInfo(info);
    context_ = new cuda::ContextPtr(context);
  }
  static void TearDownTestSuite() {
    delete maker_;
    delete info_;
    delete context_;
  }
  void SetUp() override {
    TILESTEP_SKIP_WITHOUT_GPU();
    ASSERT_NE(context_, nullptr) << gpuTrouble();
    ASSERT_FALSE((*context_)->abandoned()) << "an earlier rung's fault ended this process's GPU";
    ASSERT_TRUE((*context_)->use().ok());
    const auto spec = JobMaker::spec(GetParam());
    ASSERT_TRUE(spec) << toString(spec.error());
    spec_ = *spec;
  }

  Result<device::Job> jobOf(const Shape& shape, const Bindings& tunables, uint64_t seed) {
    auto job = maker_->shipped(GetParam(), shape.sizes(), tunables, info_->limits);
    if (job) job->seed = seed;
    return job;
  }

  /// Runs the first launch on buffers with these shifts, in the test's own context.
  void expectRight(const Code& code, const Shape& shape, const Bindings& tunables,
                   const Shifts& shifts, uint64_t seed) {
    SCOPED_TRACE(support::toText(shape.sizes(), tunables) + " seed " + std::to_string(seed) +
                 ", M, N, P begin at bytes " + std::to_string(shifts[0]) + ", " +
                 std::to_string(shifts[1]) + ", " + std::to_string(shifts[2]));
    const auto job = valueOrThrow(jobOf(shape, tunables, seed));
    const auto placed = valueOrThrow(runPlaced(*context_, code, job, shifts));
    for (const std::string& sentence : placed.spoilt) ADD_FAILURE() << sentence;
    const auto check = valueOrThrow(
        lab::checkOutputs({spec_.reference, 0}, job.operands, placed.outputs, seed, 0, {}));
    EXPECT_EQ(check.nonFinite, 0U) << "elements that nobody wrote, or made of what is no element";
    EXPECT_LE(check.scaledError, check.bound);
  }

  /// Tests all shapes and shifts with one compiled kernel; each test uses the next `seed`.
  void expectAllRight(const Bindings& tunables, const std::vector<Shape>& shapes,
                      const std::vector<Shifts>& shifts, uint64_t& seed) {
    const auto any = valueOrThrow(jobOf(shapes.front(), tunables, 1));
    const auto code = valueOrThrow(loadCode(*context_, any));
    for (const Shape& shape : shapes) {
      for (const Shifts& each : shifts) {
        expectRight(code, shape, tunables, each, ++seed);
        if (HasFatalFailure()) return;
      }
    }
  }

  static inline JobMaker* maker_ = nullptr;
  static inline device::DeviceInfo* info_ = nullptr;
  static inline cuda::ContextPtr* context_ = nullptr;
  compile::KernelSpec spec_;
};

TEST_P(LadderOnGpu, IsRightAtOddSizes) {
  uint64_t seed = 0;
  const std::vector<Shape> shapes(support::kOddShapes.begin(), support::kOddShapes.end());
  expectAllRight({}, shapes, {{0, 0, 0}}, seed);
  expectAllRight({}, shapes, {{0, 0, 0}}, seed);
}

TEST_P(LadderOnGpu, IsRightForAnyAlignment) {
  uint64_t seed = 100;
  expectAllRight({}, {{128, 128, 16}, {130, 132, 36}, {33, 260, 128}, {64, 258, 70}, {131, 67, 34}},
                 kShifts, seed);
}

TEST_P(LadderOnGpu, IsRightWithOtherTunables) {
  constexpr size_t kCombinations = 6;
  uint64_t seed = 200;
  for (const Bindings& tunables : support::legalTunables(spec_, info_->limits, kCombinations)) {
    expectAllRight(tunables, {{1, 1, 1}, {130, 132, 36}, {131, 259, 35}, {300, 258, 70}},
                   {{0, 0, 0}, {4, 8, 12}}, seed);
    if (HasFatalFailure()) return;
  }
}

class SharedTilesOnGpu : public LadderOnGpu {};

TEST_P(SharedTilesOnGpu, AreRight) {
  uint64_t seed = 0;
  for (const Bindings& tunables : support::sharingTunables(spec_)) {
    expectAllRight(tunables, {{64, 70, 530}, {1000, 300, 500}, {2000, 2100, 130}}, {{0, 0, 0}},
                   seed);
  }
}

// As in the program: operands of exactly their size, and each run under two poisons.
TEST_P(LadderOnGpu, OnceAndSmall) {
  const std::unique_ptr<device::Device> gpu = openFirstGpu();
  ASSERT_NE(gpu, nullptr);
  std::vector<std::pair<Shape, Bindings>> cases{{{66, 68, 36}, {}}, {{131, 129, 35}, {}}};
  for (const Bindings& tunables : support::sharingTunables(spec_))
    cases.push_back({{64, 70, 530}, tunables});
  for (const auto& [shape, tunables] : cases) {
    auto job = valueOrThrow(jobOf(shape, tunables, 7));
    job.check = true;
    const auto outcome = valueOrThrow(gpu->run(job, {}));
    for (const device::Fault& fault : outcome.faults) ADD_FAILURE() << fault.message;
    EXPECT_EQ(outcome.unwritten, std::optional<uint64_t>(0));
    if (!outcome.faults.empty()) return;
    const auto check = valueOrThrow(
        lab::checkOutputs({spec_.reference, 0}, job.operands, outcome.outputs, 7, 0, {}));
    EXPECT_TRUE(check.ok) << check.scaledError << " of " << check.bound;
  }
}

INSTANTIATE_TEST_SUITE_P(Ladder, LadderOnGpu, testing::ValuesIn(support::ladderNames(homeFolder())),
                         [](const auto& of) { return of.param; });
INSTANTIATE_TEST_SUITE_P(Ladder, SharedTilesOnGpu,
                         testing::ValuesIn(support::sharingNames(homeFolder())),
                         [](const auto& of) { return of.param; });

}  // namespace tilestep::test::ladder_test
