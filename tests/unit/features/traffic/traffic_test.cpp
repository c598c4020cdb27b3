// SPDX-License-Identifier: Apache-2.0
#include "model/text/traffic.h"

#include <gtest/gtest.h>

#include <string_view>

namespace tilestep::model {
namespace traffic_test {

TrafficRow row(Unit unit, double companion, double main) {
  return {"", companion, main, unit, ""};
}

TEST(Traffic, SaysInWordsWhichWayAComparisonGoes) {
  EXPECT_EQ(comparisonText(row(Unit::count, 128, 32)), "4 times fewer");
  EXPECT_EQ(comparisonText(row(Unit::count, 32, 128)), "4 times more");
  EXPECT_EQ(comparisonText(row(Unit::bytes, 6, 4)), "1.5 times less");
  EXPECT_EQ(comparisonText(row(Unit::count, 7, 7)), "the same");
  EXPECT_EQ(comparisonText(row(Unit::count, 0, 0)), "the same");
  EXPECT_EQ(comparisonText(row(Unit::count, 0, 4)), "");
  EXPECT_EQ(comparisonText(row(Unit::ratio, 0.5, 1)), "");
}

TEST(Traffic, ALaneThatLoadsSixteenBytesAsksForFourElements) {
  trace::Counters counters;
  counters.globalLoad.threads = 128;
  counters.globalLoad.requests = 4;
  counters.globalLoad.bytes = 128 * 16;
  EXPECT_EQ(elementLoads(counters.globalLoad, 4), 512U);
  EXPECT_EQ(elementLoads(counters.globalLoad, 0), 128U) << "of several types: loads of lanes";
  const TrafficTable table = trafficOf("", {}, {&counters, 4}, "counted");
  ASSERT_FALSE(table.rows.empty());
  EXPECT_EQ(table.rows[0].name, "Element loads");
  EXPECT_EQ(table.rows[0].main, 512);
  EXPECT_FALSE(table.rows[0].companion);
}

TEST(Traffic, LoadsOfMixedElementSizesAreCalledLaneLoads) {
  trace::Counters counters;
  counters.globalLoad.threads = 128;
  counters.globalLoad.bytes = 128 * 16;
  const TrafficTable table = trafficOf("", {&counters, 4}, {&counters, 0}, "counted");
  EXPECT_EQ(table.rows[0].name, "Lane loads");
  EXPECT_NE(table.rows[0].hover.find("elements of several sizes"), std::string::npos);
  EXPECT_EQ(table.rows[0].main, 128);
  EXPECT_EQ(table.rows[0].companion, 128) << "what is compared is of one kind";
  const TrafficTable halves = trafficOf("", {}, {&counters, 2}, "counted");
  EXPECT_EQ(halves.rows[0].name, "Element loads");
  EXPECT_EQ(halves.rows[0].main, 1024);
  EXPECT_EQ(halves.rows[0].hover.find("four"), std::string::npos) << "sixteen bytes are eight";
}

const TrafficRow& named(const TrafficTable& table, std::string_view name) {
  for (const TrafficRow& row : table.rows) {
    if (row.name == name) return row;
  }
  ADD_FAILURE() << "no row " << name;
  return table.rows.front();
}

TEST(Traffic, WhatTheHardwareMayCountOtherwiseIsMarkedAndExplained) {
  trace::Counters counters;
  counters.globalLoad.requests = 35;
  counters.globalLoad.sectors = 250;
  const std::vector<lab::UncertainCounts> uncertain{
      {lab::UncertainCounts::Why::unrolled, 31, {"global_load_requests"}}};
  const TrafficTable table =
      trafficOf("", {}, {&counters, 4, &uncertain, nullptr}, "counted by the interpreter");
  const TrafficRow& requests = named(table, "Requests");
  EXPECT_EQ(mainText(requests), "≈ 35");
  EXPECT_EQ(companionText(requests), "–");
  EXPECT_NE(requests.hover.find("The loop at line 31"), std::string::npos) << requests.hover;
  EXPECT_EQ(mainText(named(table, "Sectors")), "250");
  EXPECT_EQ(named(table, "Sectors").hover.find("line 31"), std::string::npos);
}

TEST(Traffic, TheHardwaresOwnCountStandsInThePlaceOfAnUncertainOne) {
  trace::Counters counters;
  counters.globalLoad.requests = 35;
  counters.globalLoad.sectors = 250;
  const std::vector<lab::UncertainCounts> uncertain{
      {lab::UncertainCounts::Why::unrolled, 31, {"global_load_requests"}}};
  device::HardwareCounters hardware;
  hardware.figures = {{"global_load_requests", "its_metric", Unit::count, 47},
                      {"global_load_sectors", "its_metric", Unit::count, 251}};
  const TrafficTable table =
      trafficOf("", {}, {&counters, 4, &uncertain, &hardware}, "counted by the GPU");
  const TrafficRow& requests = named(table, "Requests");
  EXPECT_EQ(mainText(requests), "47");
  EXPECT_NE(requests.hover.find("as written makes 35"), std::string::npos) << requests.hover;
  EXPECT_EQ(mainText(named(table, "Sectors")), "250") << "this one is certain";
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

}  // namespace traffic_test
}  // namespace tilestep::model
