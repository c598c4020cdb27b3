// SPDX-License-Identifier: Apache-2.0
#include "lab/run/result_check.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <utility>

namespace tilestep::lab::result_check_test {

/// A valid product of 4 x 4 matrices.
RunResult result() {
  RunResult result;
  result.kernel = "matmul";
  result.plan.sizes = {{"n", 4}};
  Launch launch;
  launch.block = {4, 4, 1};
  result.plan.launches = {launch};
  compile::ResolvedOperand operand;
  operand.spec.name = "P";
  operand.rows = operand.columns = 4;
  operand.elements = 16;
  result.plan.operands = {operand};
  result.plan.shared = {{"Mds", "M", 2, 2, -1}};
  result.check.emplace();
  result.check->reference = "float64";
  result.check->ok = true;
  result.pictures = {{0, 4, 4, 2, 2, {1, 2, 3, 4}}};
  return result;
}

bool isRefusedWith(const std::function<void(RunResult&)>& change) {
  RunResult changed = result();
  change(changed);
  return !checkResult(changed).ok();
}

TEST(ResultCheck, InvalidPartsAreRefused) {
  const Status checked = checkResult(result());
  EXPECT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.trace = std::make_shared<const trace::BlockTrace>();
    r.plan.launches.clear();
  })) << "a trace without a launch";
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].block.x = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].block = {1024, 2, 1}; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].grid.y = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].grid.z = 70'000; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].columns = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].columns = uint64_t{1} << 63; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.plan.operands[0].rows = r.plan.operands[0].columns = uint64_t{1} << 32;
  })) << "their product overflows";
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].elements = 15; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.shared[0].columns = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.shared[0].rows = -1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.check->firstWrong = {0, 16, true, 0, 0}; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.check->firstWrong = {1, 0, true, 0, 0}; }));
  EXPECT_FALSE(isRefusedWith([](RunResult& r) { r.check->firstWrong = {0, 15, true, 0, 0}; }));
}

TEST(ResultCheck, LinesMustBeInTheSource) {
  const auto refuses = [](const std::function<void(RunResult&)>& change) {
    RunResult changed = result();
    change(changed);
    EXPECT_TRUE(checkLines(changed, 7));
    return !checkLines(changed, 6).ok();
  };
  const device::AccessSite at{7, {}, {}}, before{1, {}, {}};
  EXPECT_TRUE(refuses([&](RunResult& r) { r.faults = {{"trap", at, 0, 1, ""}}; }));
  EXPECT_TRUE(refuses([&](RunResult& r) {
    r.hazards = {{"read-after-write", "shared", before, at, 0, 1, "", ""}};
  }));
  EXPECT_TRUE(refuses([&](RunResult& r) { r.printed = {{at, "x"}}; }));
  EXPECT_TRUE(refuses([](RunResult& r) { r.uncertain.emplace_back().line = 7; }));
  EXPECT_EQ(sourceLinesOf("a\nb"), 2U);
}

TEST(ResultCheck, PicturesAndTracesBelongToTheLaunch) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.pictures[0].operand = 1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.pictures[0].width = 3; }));
  const auto refusesTrace = [](const Dim3& shape, const Dim3& block) {
    return isRefusedWith([&](RunResult& r) {
      trace::BlockTrace recording;
      recording.blockShape = shape;
      recording.block = block;
      r.trace = std::make_shared<const trace::BlockTrace>(std::move(recording));
    });
  };
  EXPECT_TRUE(refusesTrace({2, 2, 1}, {0, 0, 0}));
  EXPECT_TRUE(refusesTrace({4, 4, 1}, {1, 0, 0}));
  EXPECT_FALSE(refusesTrace({4, 4, 1}, {0, 0, 0}));
}

}  // namespace tilestep::lab::result_check_test
