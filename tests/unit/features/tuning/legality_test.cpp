// SPDX-License-Identifier: Apache-2.0
#include "model/choice/legality.h"

#include <gtest/gtest.h>

#include "features/names.h"

namespace tilestep::features::legality_test {

/// A tile A x B of at most 256 threads; C is a long range.
compile::KernelSpec tiles() {
  compile::KernelSpec spec;
  spec.name = "tiles";
  spec.sizes = {{"n", 64}};
  spec.sizeOrder = {"n"};
  spec.rules = {{"A * B <= 256", "{A} x {B} are {A * B} threads"},
                {"C % 2 == 0 || C < 10", "C = {C} is odd"}};
  compile::TunableSpec a, c;
  a.name = "A";
  a.values = {4, 8, 16, 32, 64};
  a.defaultValue = 8;
  compile::TunableSpec b = a;
  b.name = "B";
  c.name = "C";
  c.minimum = 1;
  c.maximum = 1000;
  c.defaultValue = 2;
  spec.tunables = {a, b, c};
  compile::LaunchSpec launch;
  launch.block = {"A", "B"};
  launch.grid = {"n"};
  launch.dynamicSharedBytes = "4 * A * B";
  spec.launches = {launch};
  return spec;
}

const compile::Bindings kNow{{"A", 16}, {"B", 8}, {"C", 2}};

std::vector<TunableLegality> legal(const compile::Bindings& tunables = kNow) {
  return legalityOf(tiles(), {{"n", 64}}, tunables, Limits{});
}

TEST(Legality, SaysOfEachValueWhetherTheOthersAllowIt) {
  const auto all = legal();
  ASSERT_EQ(all.size(), 3U);
  const std::vector<ValueLegality> a{
      {4, ""}, {8, ""}, {16, ""}, {32, ""}, {64, "64 x 8 are 512 threads."}};
  EXPECT_EQ(all[0].values, a);
  EXPECT_EQ(all[1].tunable, "B");
  EXPECT_EQ(all[1].values[2].why, "");
  EXPECT_EQ(all[1].values[3].why, "16 x 32 are 512 threads.");
}

TEST(Legality, LooksAtALongRangeHereAndThere) {
  const TunableLegality c = legal()[2];
  EXPECT_LE(c.values.size(), 140U);
  EXPECT_EQ(c.values.front().value, 1);
  EXPECT_EQ(c.values[9].value, 10) << "every small one";
  EXPECT_EQ(c.values.back().value, 1000);
  for (size_t i = 1; i < c.values.size(); ++i) EXPECT_LT(c.values[i - 1].value, c.values[i].value);
}

TEST(Legality, ASliderStopsAtTheNextLegalValue) {
  const TunableLegality line{
      "T", {{1, "no"}, {2, ""}, {3, "no"}, {4, "no"}, {5, ""}, {6, "no"}, {7, "no"}}};
  EXPECT_EQ(legalTowards(line, 2, 5), 5);
  EXPECT_EQ(legalTowards(line, 2, 3), 5) << "jumps over what is not legal";
  EXPECT_EQ(legalTowards(line, 5, 4), 2);
  EXPECT_EQ(legalTowards(line, 2, 7), 5) << "there is none beyond";
  EXPECT_EQ(legalTowards(line, 5, 1), 2);
  EXPECT_EQ(legalTowards({"T", {{1, "no"}, {2, "no"}}}, 1, 2), 2) << "so that it is said why";
  EXPECT_EQ(legalTowards({"T", {}}, 1, 2), 2);
}

TEST(Legality, KeysStepToTheNextLegalValue) {
  const TunableLegality line{"T", {{1, ""}, {2, "no"}, {4, ""}, {8, "no"}}};
  EXPECT_EQ(steppedFrom(line, 1, 1), 4);
  EXPECT_EQ(steppedFrom(line, 4, -1), 1);
  EXPECT_EQ(steppedFrom(line, 4, 1), 8) << "not legal, and the notice then says why";
  EXPECT_EQ(steppedFrom(line, 1, -1), 1) << "the end";
  EXPECT_EQ(steppedFrom(line, 8, -1), 4);
}

TEST(Legality, ResourcesAreHeldAgainstTheLimits) {
  const auto plan = compile::plan(tiles(), {}, kNow, Limits{});
  ASSERT_TRUE(plan.ok());
  EXPECT_EQ(resourcesText(*plan, deviceLimitsOf(Limits{}), 40),
            "A block: 128 of 1024 threads, 0.5 of 48 KiB of shared memory, 40 of 255 "
            "registers per thread.");
  EXPECT_EQ(resourcesText(*plan, deviceLimitsOf(Limits{}), 0),
            "A block: 128 of 1024 threads, 0.5 of 48 KiB of shared memory, registers "
            "unknown until a GPU has run it.");
}

TEST(Legality, AKnownDevicesOwnLimitsAreShown) {
  const auto plan = compile::plan(tiles(), {}, kNow, Limits{});
  ASSERT_TRUE(plan.ok());
  metrics::Multiprocessor old;
  old.major = 1;
  old.threadsPerBlock = 512;
  old.sharedBytesPerBlock = 16384;
  EXPECT_EQ(resourcesText(*plan, deviceLimitsOf("GeForce 8800 GTX", old), 0),
            "A block: 128 of 512 threads, 0.5 of 16 KiB of shared memory, registers unknown "
            "until a GPU has run it. Limits of the GeForce 8800 GTX.");
  old.threadsPerBlock = 64;
  const std::string text = resourcesText(*plan, deviceLimitsOf("GeForce 8800 GTX", old), 0);
  EXPECT_TRUE(text.ends_with("GeForce 8800 GTX: it could not launch this block.")) << text;
  old.threadsPerBlock = 512;
  const DeviceLimits limits = deviceLimitsOf("GeForce 8800 GTX", old);
  EXPECT_TRUE(resourcesText(*plan, limits, limits.registersPerThread).ends_with("8800 GTX."));
  EXPECT_TRUE(resourcesText(*plan, limits, limits.registersPerThread + 1)
                  .ends_with("8800 GTX: it could not launch this block."));
}

}  // namespace tilestep::features::legality_test
