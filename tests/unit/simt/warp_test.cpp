// SPDX-License-Identifier: Apache-2.0
// Communication between the lanes of a warp.
#include <gtest/gtest.h>

#include <bit>

#include "machine.h"

namespace tilestep::simt::warp_test {

/// Each lane shuffles 100 + its index. %r2 is the lane's result, plus 1000 if p is true.
Words shuffled(const std::string& mode, const std::string& b, const std::string& c) {
  return ofWords("add.u32 %r3, %r1, 100; shfl.sync." + mode + ".b32 %r2|%p1, %r3, " + b + ", " + c +
                     ", 0xffffffff; @%p1 add.u32 %r2, %r2, 1000;",
                 lanes());
}

TEST(Shuffle, UpKeepsTheFirstLanes) {
  EXPECT_EQ(shuffled("up", "3", "0"),
            eachLane([](uint32_t i) { return i < 3 ? 100 + i : 1097 + i; }));
  // Segments of eight lanes.
  EXPECT_EQ(shuffled("up", "1", "0x1800"),
            eachLane([](uint32_t i) { return i % 8 == 0 ? 100 + i : 1099 + i; }));
}

TEST(Shuffle, DownKeepsTheLastLanes) {
  EXPECT_EQ(shuffled("down", "16", "31"),
            eachLane([](uint32_t i) { return i < 16 ? 1116 + i : 100 + i; }));
  EXPECT_EQ(shuffled("down", "2", "0x1c1f"),
            eachLane([](uint32_t i) { return i % 4 < 2 ? 1102 + i : 100 + i; }));
}

TEST(Shuffle, ButterflyAndIndex) {
  EXPECT_EQ(shuffled("bfly", "5", "31"), eachLane([](uint32_t i) { return 1100 + (i ^ 5); }));
  EXPECT_EQ(shuffled("idx", "7", "31"), eachLane([](uint32_t) { return 1107; }));
  EXPECT_EQ(shuffled("idx", "39", "31"), eachLane([](uint32_t) { return 1107; }));
  EXPECT_EQ(shuffled("idx", "6", "0x181f"),
            eachLane([](uint32_t i) { return 1100 + i / 8 * 8 + 6; }));
  // The clamp: lanes beyond 3 of each segment keep their own.
  EXPECT_EQ(shuffled("idx", "6", "0x1803"), eachLane([](uint32_t i) { return 100 + i; }));
}

TEST(Shuffle, EachLaneMayReadAnyOtherLane) {
  EXPECT_EQ(ofWords("sub.u32 %r3, 31, %r1; mul.lo.u32 %r4, %r1, %r1;\n"
                    "shfl.sync.idx.b32 %r2, %r4, %r3, 31, -1;",
                    lanes()),
            eachLane([](uint32_t i) { return (31 - i) * (31 - i); }));
}

TEST(Shuffle, TheOldFormMayOverwriteItsSource) {
  EXPECT_EQ(ofWords("mov.u32 %r2, %r1; shfl.bfly.b32 %r2, %r2, 1, 31;", lanes()),
            eachLane([](uint32_t i) { return i ^ 1; }));
}

TEST(Shuffle, LeavesOtherLanesAlone) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 7; setp.lt.u32 %p1, %r1, 16; @!%p1 bra DONE;\n"
                    "shfl.sync.bfly.b32 %r2, %r1, 8, 31, 0xffff;\nDONE:",
                    lanes()),
            eachLane([](uint32_t i) { return i < 16 ? i ^ 8 : 7; }));
}

TEST(Vote, AllAnyUniAndBallot) {
  const auto vote = [](const std::string& mode, uint32_t below) {
    return ofWords("mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, " + std::to_string(below) +
                       "; vote.sync." + mode + ".pred %p2, %p1, -1; @%p2 mov.u32 %r2, 1;",
                   lanes());
  };
  for (const auto& [mode, below, expected] :
       std::vector<std::tuple<std::string, uint32_t, uint32_t>>{{"all", 32, 1},
                                                                {"all", 31, 0},
                                                                {"any", 1, 1},
                                                                {"any", 0, 0},
                                                                {"uni", 0, 1},
                                                                {"uni", 32, 1},
                                                                {"uni", 5, 0}}) {
    EXPECT_EQ(vote(mode, below), Words(32, expected)) << mode << " of " << below;
  }
  EXPECT_EQ(ofWords("setp.lt.u32 %p1, %r1, 5; vote.sync.ballot.b32 %r2, !%p1, -1;", lanes()),
            Words(32, 0xffffffe0u));
  EXPECT_EQ(ofWords("setp.lt.u32 %p1, %r1, 5; vote.ballot.b32 %r2, %p1;", lanes()), Words(32, 31));
}

TEST(Vote, CountsOnlyActiveLanes) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 9; and.b32 %r3, %r1, 1; setp.eq.u32 %p1, %r3, 0;\n"
                    "@%p1 bra DONE; setp.gt.u32 %p2, %r1, 0; vote.sync.ballot.b32 %r2, %p2, "
                    "0xaaaaaaaa;\nDONE:",
                    lanes()),
            eachLane([](uint32_t i) { return i % 2 ? 0xaaaaaaaau : 9; }));
  EXPECT_EQ(ofWords("setp.ge.u32 %p1, %r1, 3; @%p1 bra OTHER; activemask.b32 %r2; bra DONE;\n"
                    "OTHER: activemask.b32 %r2;\nDONE:",
                    lanes()),
            eachLane([](uint32_t i) { return i < 3 ? 7u : ~7u; }));
}

TEST(Match, AnyAndAll) {
  EXPECT_EQ(ofWords("and.b32 %r3, %r1, 3; match.any.sync.b32 %r2, %r3, -1;", lanes()),
            eachLane([](uint32_t i) { return 0x11111111u << (i % 4); }));
  EXPECT_EQ(ofWords("cvt.u64.u32 %rd1, %r1; shr.u64 %rd1, %rd1, 4; shl.b64 %rd1, %rd1, 40;\n"
                    "match.any.sync.b64 %r2, %rd1, -1;",
                    lanes()),
            eachLane([](uint32_t i) { return i < 16 ? 0xffffu : 0xffff0000u; }));
  const std::string all = "match.all.sync.b32 %r2|%p1, %r3, -1; @%p1 add.u32 %r2, %r2, 1;";
  EXPECT_EQ(ofWords("mov.u32 %r3, 4; " + all, lanes()), Words(32, 0));
  EXPECT_EQ(ofWords("mov.u32 %r3, %r1; " + all, lanes()), Words(32, 0));
  EXPECT_EQ(ofWords("mov.u32 %r3, 4; match.all.sync.b32 %r2, %r3, -1;", lanes()), Words(32, ~0u));
}

TEST(Redux, EveryOperation) {
  const auto reduce = [](const std::string& form) {
    return ofWords("redux.sync." + form + " %r2, %r1, -1;",
                   eachLane([](uint32_t i) { return i * 3 - 40; }))[7];
  };
  EXPECT_EQ(reduce("add.s32"), static_cast<uint32_t>(3 * 496 - 40 * 32));
  EXPECT_EQ(reduce("add.u32"), static_cast<uint32_t>(3 * 496 - 40 * 32));
  EXPECT_EQ(reduce("min.s32"), static_cast<uint32_t>(-40));
  EXPECT_EQ(reduce("max.s32"), 53u);
  EXPECT_EQ(reduce("min.u32"), 2u);
  EXPECT_EQ(reduce("max.u32"), static_cast<uint32_t>(-1));
  uint32_t all = ~0u, any = 0, odd = 0;
  for (uint32_t i = 0; i < 32; ++i) {
    all &= i * 3 - 40;
    any |= i * 3 - 40;
    odd ^= i * 3 - 40;
  }
  EXPECT_EQ(reduce("and.b32"), all);
  EXPECT_EQ(reduce("or.b32"), any);
  EXPECT_EQ(reduce("xor.b32"), odd);
}

TEST(Elect, TakesTheFirstActiveLane) {
  EXPECT_EQ(ofWords("mov.u32 %r2, 0; setp.lt.u32 %p1, %r1, 6; @%p1 bra DONE;\n"
                    "elect.sync %r2|%p2, 0xffffffc0; @%p2 add.u32 %r2, %r2, 100;\nDONE:",
                    lanes()),
            eachLane([](uint32_t i) { return i < 6    ? 0u
                                             : i == 6 ? 106u
                                                      : 6u; }));
}

TEST(Special, LanesAndMasks) {
  EXPECT_EQ(ofWords("mov.u32 %r2, %laneid;", lanes()), lanes());
  EXPECT_EQ(ofWords("mov.u32 %r2, %lanemask_eq;", lanes()),
            eachLane([](uint32_t i) { return 1u << i; }));
  EXPECT_EQ(ofWords("mov.u32 %r2, %lanemask_lt;", lanes()),
            eachLane([](uint32_t i) { return (1u << i) - 1; }));
  EXPECT_EQ(ofWords("mov.u32 %r2, %lanemask_le;", lanes()),
            eachLane([](uint32_t i) { return (2u << i) - 1; }));
  EXPECT_EQ(ofWords("mov.u32 %r2, %lanemask_gt;", lanes()),
            eachLane([](uint32_t i) { return ~((2u << i) - 1); }));
  EXPECT_EQ(ofWords("mov.u32 %r2, %lanemask_ge;", lanes()),
            eachLane([](uint32_t i) { return ~((1u << i) - 1); }));
  EXPECT_EQ(ofWords("mov.u32 %r2, %nwarpid; mov.u32 %r3, %envreg3; add.u32 %r2, %r2, %r3;", {0}),
            Words{1});
}

TEST(Special, TheClockCountsInstructions) {
  const std::string twice = "mov.u64 %rd1, %clock64; mov.u32 %r3, %clock; mov.u32 %r5, %r1;\n";
  // Three instructions are executed from one reading to the next.
  EXPECT_EQ(ofWords(twice + "mov.u64 %rd2, %clock64; sub.u64 %rd2, %rd2, %rd1;\n"
                            "cvt.u32.u64 %r2, %rd2;",
                    {0}),
            Words{3});
  // The same holds on another path and across a branch.
  EXPECT_EQ(ofWords("mov.u32 %r3, %clock; bra NEXT;\nNEXT: mov.u32 %r4, %clock;\n"
                    "sub.u32 %r2, %r4, %r3;",
                    {0}),
            Words{2});
  EXPECT_EQ(ofWords("mov.u32 %r2, %clock_hi;", {0}), Words{0});
  EXPECT_EQ(ofWords("mov.u64 %rd1, %globaltimer; cvt.u32.u64 %r3, %rd1; mov.u32 %r4, %clock;\n"
                    "sub.u32 %r2, %r4, %r3;",
                    {0}),
            Words{2});
}

}  // namespace tilestep::simt::warp_test
