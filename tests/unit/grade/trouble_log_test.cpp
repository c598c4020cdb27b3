// SPDX-License-Identifier: Apache-2.0
#include "grade/trouble_log.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "unit/grade/specs.h"

namespace tilestep::grade::trouble_log_test {

constexpr LaunchShape kWhole{true, true, true}, kCut{false, false, true}, kOne{true, true, false};

lab::RunResult launch(bool right, const std::vector<std::string>& faults = {}) {
  lab::RunResult result;
  result.check.emplace();
  result.check->ok = right;
  result.hazards.emplace();
  for (const std::string& kind : faults) {
    device::Fault fault;
    fault.kind = kind;
    result.faults.push_back(fault);
    if (device::endsLaunch(fault)) result.check.reset();
  }
  return result;
}

lab::RunResult race(const std::string& kind, const std::string& space = "shared",
                    uint32_t first = 3, uint32_t second = 7) {
  lab::RunResult result = launch(false);
  device::Hazard hazard;
  hazard.kind = kind;
  hazard.space = space;
  hazard.first.line = first;
  hazard.second.line = second;
  result.hazards->push_back(hazard);
  return result;
}

struct Seen {
  LaunchShape shape;
  lab::RunResult result;
};

std::string kindsOf(const std::vector<Seen>& launches) {
  TroubleLog log;
  for (const Seen& seen : launches) log.add(seen.shape, seen.result);
  std::string text;
  for (const Trouble& trouble : log.troubles()) {
    EXPECT_NE(troubleWords(trouble.kind), nullptr) << trouble.kind;
    text += (text.empty() ? "" : " ") + trouble.kind;
  }
  return text;
}

TEST(TroubleLog, OnlyPartialBlocksOutsideTheArrayMeanAMissingGuard) {
  const lab::RunResult outside = launch(false, {"out-of-bounds"});
  EXPECT_EQ(kindsOf({{kWhole, launch(true)}, {kCut, outside}}), "guard");
  EXPECT_EQ(kindsOf({{kWhole, launch(true)}, {kCut, launch(false, {"outside-row"})}}), "guard");
  EXPECT_EQ(kindsOf({{kWhole, outside}, {kCut, outside}}), "bounds");
  EXPECT_EQ(kindsOf({{kCut, outside}}), "bounds") << "no launch had whole blocks";
  EXPECT_EQ(kindsOf({{kWhole, launch(false, {"deadlock"})}, {kCut, outside}}), "bounds deadlock")
      << "no launch of whole blocks came to its end";
  // The grid follows one size, and the other size is not a multiple of the block.
  EXPECT_EQ(kindsOf({{kWhole, launch(true)}, {{true, false, true}, outside}}), "guard");
  EXPECT_EQ(kindsOf({{kWhole, launch(true, {"outside-row"})}}), "");
}

TEST(TroubleLog, RacesAndFaultsHaveTheirKinds) {
  EXPECT_EQ(kindsOf({{kWhole, race("read-after-write")}}), "race-store-load");
  EXPECT_EQ(kindsOf({{kWhole, race("write-after-read")}}), "race-load-store");
  EXPECT_EQ(kindsOf({{kWhole, race("write-after-write")}}), "race-store-store");
  EXPECT_EQ(kindsOf({{kWhole, race("write-after-read", "shared", 5, 5)}}), "race-one-line");
  EXPECT_EQ(kindsOf({{kWhole, race("read-after-write", "global")}}), "race-global");
  EXPECT_EQ(kindsOf({{kWhole, race("write-after-read")}, {kCut, race("read-after-write")}}),
            "race-store-load")
      << "the certain one counts";
  lab::RunResult result = race("read-after-write");
  result.faults.push_back({"uninitialised-read", {3, {}, {}}, 0, 1, "."});
  EXPECT_EQ(kindsOf({{kWhole, result}}), "race-store-load");
  EXPECT_EQ(kindsOf({{kWhole, launch(false, {"uninitialised-read"})}}), "uninitialised-read");
  lab::RunResult strays = race("write-after-write", "global");
  strays.faults.push_back({"outside-row", {3, {}, {}}, 0, 1, "."});
  EXPECT_EQ(kindsOf({{kWhole, launch(true)}, {kCut, strays}}), "guard");
  EXPECT_EQ(kindsOf({{kWhole, launch(false, {"instruction-limit"})}}), "endless");
  for (const char* kind :
       {"read-only", "misaligned", "stack-overflow", "deadlock", "wrong-mask", "wrong-barrier",
        "divergent-barrier", "assert", "trap", "launch-refused"})
    EXPECT_TRUE(has(kindsOf({{kWhole, launch(false, {kind})}}), kind)) << kind;
  EXPECT_EQ(kindsOf({{kWhole, launch(true, {"unsupported-instruction"})}}), "");
}

TEST(TroubleLog, WrongResultsAreGroupedByTheRightLaunches) {
  const Seen right{kWhole, launch(true)};
  EXPECT_EQ(kindsOf({right, {kCut, launch(false)}}), "wrong-sizes");
  EXPECT_EQ(kindsOf({{kOne, launch(true)}, {kWhole, launch(false)}}), "wrong-blocks");
  EXPECT_EQ(kindsOf({{kOne, launch(true)}, {kWhole, launch(false)}, right}), "wrong")
      << "several blocks were right, too";
  EXPECT_EQ(kindsOf({right, {kWhole, launch(false)}}), "wrong");
  EXPECT_EQ(kindsOf({{kWhole, launch(false)}, {kCut, launch(false)}}), "wrong-each");
  lab::RunResult unwritten = launch(false);
  unwritten.check->unwritten = 5;
  EXPECT_EQ(kindsOf({right, {kWhole, unwritten}}), "unwritten");
  EXPECT_EQ(kindsOf({{kWhole, launch(false)}, {kWhole, unwritten}}), "wrong-each");
  EXPECT_EQ(kindsOf({right, {kCut, unwritten}}), "wrong-sizes");
  // Another finding may be the cause, but only at the same launch.
  EXPECT_EQ(kindsOf({{kWhole, race("read-after-write")}}), "race-store-load");
  EXPECT_EQ(kindsOf({{kWhole, race("read-after-write")}, {kCut, launch(false)}}),
            "race-store-load wrong");
}

/// The shape of a launch with blocks of 16 x 16.
LaunchShape shape(int64_t m, int64_t n) {
  HiddenLaunch launch;
  launch.sizes = {{"m", m}, {"n", n}};
  launch.tunables = {{"BLOCK", 16}};
  return shapeOf(sumSpec().kernel, launch);
}

TEST(LaunchShape, BlocksAreWholeIfOneMoreElementNeedsAnother) {
  EXPECT_EQ(shape(32, 48), (LaunchShape{true, true, true}));
  EXPECT_EQ(shape(16, 16), (LaunchShape{true, true, false}));
  EXPECT_EQ(shape(33, 48), (LaunchShape{false, false, true}));
  EXPECT_EQ(shape(32, 47), (LaunchShape{false, false, true}));
  EXPECT_EQ(shape(1, 1), (LaunchShape{false, false, false}));
}

TEST(LaunchShape, ASizeWithoutBlocksIsJudgedSeparately) {
  compile::KernelSpec kernel = sumSpec().kernel;
  kernel.sizes["k"] = 8;
  HiddenLaunch launch;
  launch.sizes = {{"m", 32}, {"n", 32}, {"k", 17}};
  launch.tunables = {{"BLOCK", 16}};
  EXPECT_EQ(shapeOf(kernel, launch), (LaunchShape{true, false, true}));
  launch.sizes["k"] = 64;
  EXPECT_EQ(shapeOf(kernel, launch), (LaunchShape{true, true, true}));
  // Phases that the spec names extend past a size, as blocks do.
  kernel.phases = "ceildiv(k, BLOCK)";
  launch.sizes["k"] = 17;
  EXPECT_EQ(shapeOf(kernel, launch), (LaunchShape{false, false, true}));
}

}  // namespace tilestep::grade::trouble_log_test
