// SPDX-License-Identifier: Apache-2.0
#include "model/text/traffic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "features/names.h"
#include "support/results.h"

namespace tilestep::features::traffic_test {

/// The row's amounts: the base's, then the launch's own.
std::string textOf(const TrafficTable& table, std::string_view name) {
  for (const Ratio& row : table.rows)
    if (row.name == name) return row.baseText() + " " + row.ownText();
  return "no row";
}

const std::string& hoverOf(const TrafficTable& table, std::string_view name) {
  const auto at = std::ranges::find(table.rows, name, &Ratio::name);
  return at == table.rows.end() ? table.title : at->hover;
}

CountedSide loads(uint64_t threads, uint64_t bytes, uint32_t elementBytes) {
  trace::Counters counters;
  counters.globalLoad.threads = threads;
  counters.globalLoad.bytes = bytes;
  return {counters, elementBytes};
}

TEST(Traffic, SixteenBytesAreFourFloatsOrEightHalves) {
  EXPECT_EQ(textOf(trafficOf("", {}, loads(128, 2048, 4), ""), "Element loads"), "– 512");
  EXPECT_EQ(textOf(trafficOf("", {}, loads(128, 2048, 2), ""), "Element loads"), "– 1,024");
}

TEST(Traffic, LoadsOfMixedElementSizesAreCalledLaneLoads) {
  const TrafficTable table = trafficOf("", loads(128, 2048, 4), loads(128, 2048, 0), "");
  EXPECT_EQ(textOf(table, "Lane loads"), "128 128") << "both sides have the same unit";
  EXPECT_TRUE(has(hoverOf(table, "Lane loads"), "elements of several sizes"));
}

TEST(Traffic, ArrivingCopiesWriteSlots) {
  trace::Tally tally;
  tally.sharedReads = 64;
  tally.sharedWrites = 4;
  tally.arrivals = 12;
  EXPECT_EQ(sideOf(tally, lab::RunResult{}).slotReads, 4);
}

TEST(Traffic, UncountedLoadsAreAbsent) {
  CountedSide side = loads(128, 2048, 4);
  side.loadsAreCounted = false;
  const TrafficTable table = trafficOf("", loads(64, 1024, 4), side, "");
  EXPECT_EQ(textOf(table, "Bytes asked"), "1.02 kB –");
  EXPECT_EQ(textOf(table, "Store sectors"), "0 0");
  EXPECT_TRUE(has(hoverOf(table, "Bytes asked"), "cp.async.bulk"));
}

TEST(Traffic, AnUncertainCountIsMarkedOrReplacedByTheHardwares) {
  CountedSide side;
  side.counters.emplace();
  side.counters->globalLoad.requests = 35;
  side.counters->globalLoad.sectors = 250;
  const std::vector<lab::UncertainCounts> uncertain{
      {lab::UncertainCounts::Why::unrolled, 31, {"global_load_requests"}}};
  side.uncertain = &uncertain;
  const TrafficTable marked = trafficOf("", {}, side, "");
  EXPECT_EQ(textOf(marked, "Requests"), "– ≈ 35");
  EXPECT_EQ(textOf(marked, "Sectors"), "– 250");
  EXPECT_TRUE(has(hoverOf(marked, "Requests"), "The loop at line 31"));
  EXPECT_FALSE(has(hoverOf(marked, "Sectors"), "line 31"));
  device::HardwareCounters hardware;
  hardware.figures = {{"global_load_requests", "its_metric", Unit::count, 47},
                      {"global_load_sectors", "its_metric", Unit::count, 251}};
  side.hardware = &hardware;
  const TrafficTable replaced = trafficOf("", {}, side, "");
  EXPECT_EQ(textOf(replaced, "Requests"), "– 47");
  EXPECT_EQ(textOf(replaced, "Sectors"), "– 250") << "this count is certain";
  EXPECT_TRUE(has(hoverOf(replaced, "Requests"), "as written makes 35"));
}

TEST(Traffic, OperationsOnZerosAreNotUseful) {
  // 5 x 5 with tiles of 2: 9 blocks of 4 threads go through 3 phases of 2 products each.
  CountedSide naive{trace::Counters{}}, tiled = naive, halves = naive;
  naive.operations = tiled.operations = halves.operations = 250;
  naive.counters->ffma = 125;
  tiled.counters->ffma = 9 * 4 * 3 * 2;
  const TrafficTable table = trafficOf("", naive, tiled, "");
  EXPECT_EQ(textOf(table, "FP operations"), "250 432");
  EXPECT_EQ(textOf(table, "Useful operations"), "100 % 57.9 %");
  // Operations on halves and integers are not counted, so the row is omitted instead of 0.
  EXPECT_EQ(textOf(trafficOf("", {}, halves, ""), "FP operations"), "no row");
}

TEST(Traffic, ElementsOfOneTypeHaveOneSize) {
  compile::Plan plan;
  const auto add = [&](Direction direction, ElementType type, uint64_t elements) {
    compile::ResolvedOperand operand;
    operand.spec.direction = direction;
    operand.spec.type = type;
    operand.elements = elements;
    plan.operands.push_back(operand);
  };
  add(Direction::in, ElementType::f32, 16);
  add(Direction::in, ElementType::f32, 16);
  add(Direction::out, ElementType::f64, 16);
  EXPECT_EQ(loadedElementBytes(plan), 4U);
  add(Direction::in, ElementType::f64, 16);
  EXPECT_EQ(loadedElementBytes(plan), 0U);
}

}  // namespace tilestep::features::traffic_test
