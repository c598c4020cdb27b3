// SPDX-License-Identifier: Apache-2.0
#include "lab/run/result_check.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "lab/run/line_check.h"

namespace tilestep::lab {
namespace result_check_test {

/// A product of 4 x 4 matrices that can be.
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
  result.measurement.emplace();
  result.measurement->minMs = result.measurement->p10Ms = 1;
  result.measurement->medianMs = result.measurement->p90Ms = 2;
  result.measurement->repetitions = result.measurement->batch = 1;
  return result;
}

bool isRefusedWith(const std::function<void(RunResult&)>& change) {
  RunResult changed = result();
  change(changed);
  return !checkResult(changed).ok();
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(ResultCheck, WhatCanBeIsTaken) {
  const Status checked = checkResult(result());
  EXPECT_TRUE(checked) << checked.error().message;
}

TEST(ResultCheck, LaunchesHaveThreadsAndBlocks) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.trace.emplace();
    r.plan.launches.clear();
  })) << "a trace of no launch";
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].block.x = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].block = {1024, 2, 1}; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].grid.y = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.launches[0].grid.z = 70'000; }));
}

TEST(ResultCheck, MatricesFitTheirOperands) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].columns = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].columns = uint64_t{1} << 63; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.plan.operands[0].rows = r.plan.operands[0].columns = uint64_t{1} << 32;
  })) << "their product overflows";
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operands[0].elements = 15; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.shared[0].columns = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.shared[0].rows = -1; }));
}

TEST(ResultCheck, NoCheckCallsAWrongResultRight) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.check->unwritten = 99; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.check->scaledError = 1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.check->scaledError = kNan; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.check->ok = false;
    r.check->wrong = 3;
  })) << "more than were compared";
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.check->ok = false;
    r.check->firstWrong = WrongElement{0, 16, true, 0, 0};
  }));
  EXPECT_FALSE(isRefusedWith([](RunResult& r) {
    r.check->ok = false;
    r.check->scaledError = 1;
  }));
}

TEST(ResultCheck, FiguresAreNumbers) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.compiler.ms = kInfinity; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.wallSeconds = -1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.plan.operations = kNan; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.measurement->medianMs = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.measurement->p90Ms = 1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.hardware.emplace().figures = {{"a", "b", Unit::count, kNan}};
  }));
  EXPECT_TRUE(
      isRefusedWith([](RunResult& r) { r.machineCeilings.emplace().l2BytesPerSecond = 0; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.counters.emplace().total.ffma = ~uint64_t{0}; }));
  const auto refusesCounts = [](const std::function<void(trace::Counters&)>& change) {
    return isRefusedWith([&](RunResult& r) {
      trace::Counters& total = r.counters.emplace().total;
      total.globalLoad = total.globalStore = {64, 2, 8, 256, 256};
      total.sharedLoad = {1, 4, 3};
      total.sharedStore = {1, 4, 3};
      total.branches = 2;
      total.divergentBranches = 1;
      change(total);
    });
  };
  EXPECT_FALSE(refusesCounts([](trace::Counters&) {}));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.globalLoad.threads = 65; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.globalLoad.requests = 65; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.globalLoad.sectors = 7; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.globalLoad.bytes = 255; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.globalStore.sectors = 7; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.sharedLoad.bankConflicts = 5; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.sharedStore.bankConflicts = 5; }));
  EXPECT_TRUE(refusesCounts([](trace::Counters& c) { c.divergentBranches = 3; }));
  EXPECT_FALSE(refusesCounts([](trace::Counters& c) { c.branches.reset(); }));
}

TEST(ResultCheck, LinesAreThoseOfASource) {
  const auto at = [](uint32_t line) { return device::AccessSite{line, {}, {}}; };
  EXPECT_TRUE(isRefusedWith([&](RunResult& r) {
    r.faults = {{"trap", at(UINT32_MAX), 0, 1, ""}};
  }));
  EXPECT_TRUE(isRefusedWith([&](RunResult& r) {
    r.hazards = {{"read-after-write", "shared", at(1), at(UINT32_MAX), 0, 1, "", ""}};
  }));
  EXPECT_TRUE(isRefusedWith([&](RunResult& r) { r.printed = {{at(UINT32_MAX), "x"}}; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.uncertain.emplace_back().line = UINT32_MAX; }));
  RunResult good = result();
  good.faults = {{"trap", at(7), 0, 1, ""}};
  EXPECT_TRUE(checkLines(good, 7));
  EXPECT_EQ(checkLines(good, 6).error().message, "a result names line 7 of a source of 6 lines");
  EXPECT_EQ(sourceLinesOf("a\nb"), 2U);
}

TEST(ResultCheck, AnAnswerIsThatOfTheLaunchThatWasAsked) {
  RunResult of = result();
  of.plan.sizes = {{"m", 4}, {"n", 8}};
  of.plan.tunables = {{"TILE_WIDTH", 2}};
  Experiment asked;
  asked.sizes = {{"n", 8}};
  EXPECT_TRUE(checkAnswers(of, asked)) << "the kernel has the rest";
  asked.tunables = {{"TILE_WIDTH", 4}};
  EXPECT_EQ(checkAnswers(of, asked).error().message,
            "the result is that of another launch: its TILE_WIDTH is not 4");
  asked.tunables.clear();
  asked.sizes["q"] = 1;
  EXPECT_FALSE(checkAnswers(of, asked));
}

TEST(ResultCheck, PicturesAndTracesBelongToTheLaunch) {
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.pictures[0].operand = 1; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.pictures[0].width = 3; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) { r.trace.emplace().blockShape = {2, 2, 1}; }));
  EXPECT_TRUE(isRefusedWith([](RunResult& r) {
    r.trace.emplace().blockShape = {4, 4, 1};
    r.trace->block = {1, 0, 0};
  }));
  EXPECT_FALSE(isRefusedWith([](RunResult& r) { r.trace.emplace().blockShape = {4, 4, 1}; }));
}

}  // namespace result_check_test
}  // namespace tilestep::lab
