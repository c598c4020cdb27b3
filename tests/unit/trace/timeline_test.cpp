// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "support/results.h"

namespace tilestep::trace::timeline_test {

Timeline sample() {
  Timeline t;
  t.device = "cuda:0";
  t.tickNs = 32;
  t.multiprocessors = 2;
  t.maxWarps = 64;
  t.warpsPerBlock = 2;
  t.clockMhz = 1980;
  t.price = 1.25;
  t.registers = 32;
  t.plainRegisters = 31;
  t.phases = 1;
  t.epochsPerPhase = 2;
  t.sm = {0, 1, 0};
  t.startNs = {0, 0, 64};
  t.endNs = {64, 96, 128};
  t.busyWarpCycles = {100, 120, 90};
  t.waitWarpCycles = {10, 20, 30};
  t.activeCycles = {250, 190};
  t.epochs = 2;
  t.epochStep = 2;
  t.epochBusy = {60, 40, 50, 40};
  t.epochWait = {10, 0, 30, 0};
  return t;
}

TEST(Timeline, ABlockMayFollowAnotherOnAFullMultiprocessor) {
  Timeline t = sample();
  t.maxWarps = 2;
  EXPECT_TRUE(t.check().ok());
  t.startNs[2] -= t.tickNs;  // Within the clock's resolution.
  EXPECT_TRUE(t.check().ok());
  --t.startNs[2];
  EXPECT_FALSE(t.check().ok());
}

TEST(Timeline, EpochsHavePositionsInPhases) {
  Timeline t;
  EXPECT_FALSE(t.positionInPhase(0)) << "phases are unknown";
  t.phases = 2;
  t.epochsPerPhase = 2;
  t.epochsBefore = 1;
  const std::vector<std::optional<uint32_t>> expected{{}, 0, 1, 0, 1, {}};
  for (uint32_t e = 0; e < expected.size(); ++e) EXPECT_EQ(t.positionInPhase(e), expected[e]) << e;
}

struct Damage {
  const char* name;
  std::function<void(Timeline&)> change;
};

class DamagedTimeline : public testing::TestWithParam<Damage> {};

TEST_P(DamagedTimeline, IsRefused) {
  Timeline t = sample();
  GetParam().change(t);
  EXPECT_TRUE(fails(t.check(), "the timeline is damaged"));
}

const Damage kDamages[] = {
    Damage{"NoTick", [](Timeline& t) { t.tickNs = 0; }},
    Damage{"NoBlocks",
           [](Timeline& t) {
             t.sm.clear();
             t.startNs.clear();
             t.endNs.clear();
             t.busyWarpCycles.clear();
             t.waitWarpCycles.clear();
             t.epochBusy.clear();
             t.epochWait.clear();
           }},
    Damage{"UnknownSm", [](Timeline& t) { t.sm[1] = 2; }},
    Damage{"Backward", [](Timeline& t) { t.startNs[2] = 160; }},
    Damage{"TooBusy", [](Timeline& t) { t.busyWarpCycles[1] = 400; }},
    Damage{"WaitOverflows", [](Timeline& t) { t.waitWarpCycles[1] = UINT64_MAX; }},
    Damage{"NoPrice", [](Timeline& t) { t.price = std::numeric_limits<double>::quiet_NaN(); }},
    Damage{"ShortColumn", [](Timeline& t) { t.endNs.pop_back(); }},
    Damage{"ManyMultiprocessors", [](Timeline& t) { t.multiprocessors = 1U << 30; }},
    Damage{"NoWarps", [](Timeline& t) { t.warpsPerBlock = 0; }},
    Damage{"FarEnd", [](Timeline& t) { t.endNs[1] = UINT64_MAX; }},
    Damage{"MoreWarpsAtOnce",
           [](Timeline& t) {
             t.maxWarps = 2;  // The limit is four warps in all, but the three blocks have six.
             t.startNs[2] = 0;
           }},
    Damage{"MoreWarpsOnOneMultiprocessor",
           [](Timeline& t) {
             t.maxWarps = 2;
             t.multiprocessors = 3;
             t.activeCycles = {1000, 190, 0};
             t.sm = {0, 0, 0};
             t.startNs = {0, 0, 0};
           }},
    Damage{"CoarseClock", [](Timeline& t) { t.tickNs = 1 << 20; }},
    Damage{"ManyEpochsAPhase", [](Timeline& t) { t.epochsPerPhase = 1U << 31; }},
    Damage{"NoEpochs", [](Timeline& t) { t.epochs = 0; }},
    Damage{"EpochsMissing", [](Timeline& t) { t.epochStep = 1; }},
    Damage{"EpochsUneven", [](Timeline& t) { t.epochWait.pop_back(); }}};

std::string nameOf(const testing::TestParamInfo<Damage>& info) {
  return info.param.name;
}

INSTANTIATE_TEST_SUITE_P(Content, DamagedTimeline, testing::ValuesIn(kDamages), nameOf);

}  // namespace tilestep::trace::timeline_test
