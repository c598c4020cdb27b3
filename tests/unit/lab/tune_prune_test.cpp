// SPDX-License-Identifier: Apache-2.0
#include "lab/tune/tune_prune.h"

#include <gtest/gtest.h>

#include "support/results.h"
#include "unit/lab/tune_samples.h"

namespace tilestep::lab::tune_prune_test {

Candidate candidate(uint64_t threads, uint64_t blocks, uint32_t shared = 0) {
  return {{}, threads, blocks, shared};
}

std::vector<std::string> pruned(std::vector<Candidate> legal, double operations = 1e12) {
  Candidates candidates;
  candidates.legal = std::move(legal);
  candidates.operations = operations;
  return pruneByPlan(candidates, tuningDevice());
}

TEST(TunePrune, UsableShareCountsWholeWavesAndWholeWarps) {
  EXPECT_DOUBLE_EQ(usableShare(candidate(256, 132), tuningDevice()), 1);
  EXPECT_DOUBLE_EQ(usableShare(candidate(256, 33), tuningDevice()), 0.25);
  EXPECT_DOUBLE_EQ(usableShare(candidate(256, 133), tuningDevice()), 133.0 / 264);
  EXPECT_DOUBLE_EQ(usableShare(candidate(8, 132), tuningDevice()), 0.25);
  EXPECT_DOUBLE_EQ(usableShare(candidate(0, 0), tuningDevice()), 1) << "several launches";
}

TEST(TunePrune, AQuarterOfTheBestShareIsDropped) {
  const auto why = pruned({candidate(256, 1320), candidate(256, 33), candidate(256, 34)});
  EXPECT_EQ(why[0], "");
  EXPECT_EQ(why[1],
            "at most 25 % of the GPU can be busy (33 blocks of 256 threads for 132 "
            "multiprocessors), and with another choice 100 %");
  EXPECT_EQ(why[2], "");
  EXPECT_EQ(pruned({candidate(256, 1320), candidate(256, 1)}, 1e6)[1], "");
}

TEST(TunePrune, FewerWarpsThanSchedulersAreDroppedIfAnotherHasMore) {
  // With 120 KiB, one block fits at a time.
  const auto why = pruned({candidate(64, 1320, 120 << 10), candidate(128, 1320, 120 << 10)}, 0);
  EXPECT_EQ(why[0], "only 2 warps fit on a multiprocessor, fewer than its 4 schedulers");
  EXPECT_EQ(why[1], "");
  EXPECT_EQ(pruned({candidate(64, 1320, 120 << 10)}, 0)[0], "") << "no candidate is better";
}

TEST(TunePrune, TooManyRegistersAndSpillsAreDropped) {
  const MachineCode greedy{255, 0, 0};
  EXPECT_EQ(pruneByMachineCode(candidate(1024, 99), greedy, tuningDevice(), false, false),
            "not one block fits on a multiprocessor");
  EXPECT_EQ(pruneByMachineCode(candidate(256, 99), greedy, tuningDevice(), false, false), "");
  const MachineCode wide{255, 0, 120 << 10};
  EXPECT_EQ(pruneByMachineCode(candidate(64, 99), wide, tuningDevice(), false, false), "");
  EXPECT_EQ(pruneByMachineCode(candidate(64, 99), wide, tuningDevice(), false, true),
            "only 2 warps fit on a multiprocessor with 255 registers per thread, fewer than its 4 "
            "schedulers");
  const MachineCode few{128, 32, 0}, many{128, 40, 0};
  const Candidate one = candidate(256, 1320);
  EXPECT_EQ(pruneByMachineCode(one, few, tuningDevice(), true, true), "");
  EXPECT_EQ(pruneByMachineCode(one, many, tuningDevice(), false, true), "");
  EXPECT_TRUE(has(pruneByMachineCode(one, many, tuningDevice(), true, true), "40 bytes a thread"));
}

TEST(TunePrune, AnUnknownDevicePrunesNothing) {
  Candidates candidates;
  candidates.legal = {candidate(8, 1), candidate(256, 1320)};
  candidates.operations = 1e12;
  for (const std::string& why : pruneByPlan(candidates, device::DeviceInfo{})) EXPECT_EQ(why, "");
  EXPECT_EQ(pruneByMachineCode(candidate(1024, 9), {255, 0, 0}, device::DeviceInfo{}, true, true),
            "");
}

}  // namespace tilestep::lab::tune_prune_test
