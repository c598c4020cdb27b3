// SPDX-License-Identifier: Apache-2.0
#include "metrics/launch_time.h"

#include <gtest/gtest.h>

#include <utility>

namespace tilestep::metrics::launch_time_test {

constexpr Latencies kLatencies{.dram = 500e-9,
                               .l2 = 150e-9,
                               .l1 = 20e-9,
                               .shared = 15e-9,
                               .barrier = 10e-9,
                               .instruction = 2e-9,
                               .blockStart = 1e-9,
                               .kernelStart = 500e-9};

Limits busy(Resource resource, double seconds) {
  Limits limits;
  limits.times.push_back({resource, 1, 1, seconds, seconds, false});
  limits.limit = resource;
  limits.seconds = limits.leastSeconds = seconds;
  return limits;
}

/// The time of a single block is the sum of its waits, its start, and its demands for resources.
TEST(LaunchTime, OneBlockWaitsSequentially) {
  const BlockWaits waits{.beyondL1 = 2, .l1 = 1, .shared = 3, .barriers = 4};
  const LaunchTime time =
      launchTimeOf(busy(Resource::issue, 100e-9), waits, kLatencies, {1, 8, 10, 20, false});
  EXPECT_NEAR(time.seconds,
              500e-9 + 2 * 500e-9 + 20e-9 + 3 * 15e-9 + 4 * 10e-9 + 20 * 2e-9 + 10e-9 + 100e-9,
              1e-15);
  EXPECT_EQ(time.limit, "waiting");
}

TEST(LaunchTime, LoadsFromL2WaitForL2) {
  const BlockWaits waits{.beyondL1 = 1};
  const double dram =
      launchTimeOf(busy(Resource::l2, 1e-9), waits, kLatencies, {1, 8, 10, 0, false}).seconds;
  const double l2 =
      launchTimeOf(busy(Resource::l2, 1e-9), waits, kLatencies, {1, 8, 10, 0, true}).seconds;
  EXPECT_NEAR(dram - l2, 350e-9, 1e-15);
}

TEST(LaunchTime, ABusyResourceSetsTheTimeOfALongLaunch) {
  const LaunchTime time = launchTimeOf(busy(Resource::dram, 1e-3), {.beyondL1 = 1}, kLatencies,
                                       {10'000, 32, 10, 1, false});
  EXPECT_EQ(time.limit, "DRAM");
  EXPECT_GE(time.seconds, 1e-3);
  EXPECT_LT(time.seconds, 1.05e-3);
}

TEST(LaunchTime, FewResidentBlocksAreLimitedByWaiting) {
  const LaunchTime time = launchTimeOf(busy(Resource::dram, 1e-4), {.beyondL1 = 1}, kLatencies,
                                       {10'000, 1, 10, 1, false});
  EXPECT_EQ(time.limit, "waiting");
  EXPECT_NEAR(time.seconds, 500e-9 + 1000 * (500e-9 + 2e-9 + 10e-9 + 100e-9), 1e-12);
}

TEST(LaunchTime, ShortBlocksAreLimitedByTheirStart) {
  const LaunchTime time =
      launchTimeOf(busy(Resource::issue, 1e-6), {}, kLatencies, {1'000'000, 8, 100, 2, false});
  EXPECT_EQ(time.limit, "starting blocks");
  EXPECT_NEAR(time.seconds, 1e-3, 1e-5);
}

TEST(LaunchTime, AnAlmostEmptyKernelIsLimitedByItsStart) {
  const LaunchTime time =
      launchTimeOf(busy(Resource::issue, 1e-9), {}, kLatencies, {1, 8, 100, 2, false});
  EXPECT_EQ(time.limit, "starting the kernel");
}

/// Only the longest time of each group counts, here 300 in the multiprocessor and 200 beyond it.
TEST(LaunchTime, OverlappingWarpsUseAllResourcesAtOnce) {
  Limits limits = busy(Resource::issue, 100e-9);
  for (const auto& [resource, seconds] : {std::pair{Resource::shared, 300e-9},
                                          {Resource::l1, 50e-9},
                                          {Resource::l2, 200e-9},
                                          {Resource::dram, 150e-9}})
    limits.times.push_back({resource, 1, 1, seconds, seconds, false});
  const BlocksInTurn one{1, 8, 10, 0, false};
  const double overlapped = launchTimeOf(limits, {}, kLatencies, one, BlockUse::overlapped).seconds;
  EXPECT_NEAR(overlapped, 500e-9 + 10e-9 + 300e-9 + 200e-9, 1e-15);
  EXPECT_NEAR(launchTimeOf(limits, {}, kLatencies, one).seconds, 500e-9 + 10e-9 + 800e-9, 1e-15);
}

}  // namespace tilestep::metrics::launch_time_test
