// SPDX-License-Identifier: Apache-2.0
// Loads whose value most lanes throw away: they are accesses of those lanes alone that use it.
#include <gtest/gtest.h>

#include "checked.h"

namespace tilestep::simt {
namespace late_loads_test {

/// Thread 0 stores `other`, all threads load it in line 3, and %p1 holds for thread `user`.
std::string loadByAll(int user) {
  return "setp.eq.u32 %p1, %r31, " + std::to_string(user) +
         "; setp.eq.u32 %p2, %r31, 0; setp.ne.u32 %p4, %r31, " + std::to_string(user) + ";\n" +
         line(2) + "@%p2 st.shared.u32 [other], 1;\n" + line(3) + "ld.shared.u32 %r4, [other];\n";
}

const std::string kEnd = "\n@%p5 st.global.u32 [%rd30], 1;";

/// The race of lines 2 and 3 where another thread than 0 takes the value, and none where thread 0
/// does.
void expectByUser(const std::string& use) {
  SCOPED_TRACE(use);
  EXPECT_EQ(findings(checked(loadByAll(0) + use)), Found{});
  EXPECT_EQ(findings(checked(loadByAll(40) + use)), Found{"read-after-write shared 2-3"});
}

TEST(LateLoads, TakePartInARaceOnlyWhereTheirValueIsUsed) {
  expectByUser("setp.ne.u32 %p3, %r4, 0; and.pred %p5, %p1, %p3;" + kEnd);
  expectByUser("setp.ne.u32 %p3, %r4, 0; and.pred %p5, %p3, %p1;" + kEnd);
  expectByUser("setp.eq.u32 %p3, %r4, 0; or.pred %p5, %p4, %p3; not.pred %p5, %p5;" + kEnd);
  expectByUser("setp.ne.and.u32 %p5, %r4, 0, %p1;" + kEnd);
  expectByUser("setp.eq.or.u32 %p5, %r4, 0, %p4; not.pred %p5, %p5;" + kEnd);
  // The compilers join the conditions that depend on the value first.
  const std::string two =
      "setp.ne.u32 %p3, %r4, 0; setp.ne.u32 %p6, %r31, 99; and.pred %p3, %p3, %p6;\n";
  expectByUser(two + "and.pred %p5, %p1, %p3;" + kEnd);
  expectByUser(two + "not.pred %p3, %p3; or.pred %p5, %p4, %p3; not.pred %p5, %p5;" + kEnd);
  expectByUser(
      "setp.eq.u32 %p3, %r4, 0; or.pred %p5, %p4, %p3;\n"
      "@%p5 bra $out; st.global.u32 [%rd30], 1; $out:");
  expectByUser("add.u32 %r5, %r4, 7; selp.u32 %r6, %r5, 0, %p1; st.global.u32 [%rd1], %r6;");
  expectByUser("selp.u32 %r6, 0, %r4, %p4; st.global.u32 [%rd1], %r6;");
  expectByUser("selp.u32 %r6, 0, %r4, %p4; shfl.sync.idx.b32 %r7, %r6, 0, 31, -1;");
}

TEST(LateLoads, AreAnAccessOfAllWhereOneUseTakesTheValueInAny) {
  EXPECT_EQ(findings(checked(loadByAll(0) + "selp.u32 %r6, %r4, 0, %p1; add.u32 %r6, %r6, %r4;\n"
                                            "st.global.u32 [%rd1], %r6;")),
            Found{"read-after-write shared 2-3"});
  // Once the thread has met some of the others, or told them something, nothing is put off.
  EXPECT_EQ(findings(checked(loadByAll(0) + "bar.sync 1, 64; selp.u32 %r6, %r4, 0, %p1;\n"
                                            "st.global.u32 [%rd1], %r6;")),
            Found{"read-after-write shared 2-3"});
  // All lanes take the value to see whether they go on.
  EXPECT_EQ(findings(checked(loadByAll(0) + "setp.eq.u32 %p3, %r4, 77;\n"
                                            "@%p3 st.global.u32 [%rd1], 7;")),
            Found{"read-after-write shared 2-3"});
  EXPECT_EQ(findings(checked(loadByAll(0) + "setp.eq.u32 %p3, %r4, 77; @%p3 bra $out;\n"
                                            "st.global.u32 [%rd1], 7; $out:")),
            Found{"read-after-write shared 2-3"});
  // The predicate depends on the value.
  EXPECT_EQ(findings(checked(loadByAll(0) + "setp.ne.u32 %p3, %r4, 0; selp.u32 %r6, %r4, 1, %p3;\n"
                                            "st.global.u32 [%rd1], %r6;")),
            Found{"read-after-write shared 2-3"});
}

TEST(LateLoads, RaceInsideOfAWarpToo) {
  const std::string use = "bar.sync 0; selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;";
  EXPECT_EQ(findings(checked(loadByAll(5) + use)), Found{"read-after-write shared 2-3"});
}

TEST(LateLoads, AreNotPutOffWhereSomeBarriersAreForPartsOfTheBlock) {
  // The barrier of both warps by its number of threads orders the store before the load.
  const std::string ordered =
      "setp.eq.u32 %p1, %r31, 40; setp.eq.u32 %p2, %r31, 0;\n@%p2 st.shared.u32 [other], 1;\n"
      "bar.sync 1, 64;\nld.shared.u32 %r4, [other];\n";
  const std::string use = "selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;";
  EXPECT_EQ(findings(checked(ordered + use)), Found{});
  EXPECT_EQ(findings(checked(ordered + "bar.sync 0;" + use)), Found{});
}

TEST(LateLoads, AreFollowedRegisterByRegister) {
  // The sum is given up, and the value itself lives on.
  const auto found = [](const std::string& more) {
    return findings(checked(loadByAll(40) + "add.u32 %r5, %r4, 7; selp.u32 %r6, %r5, 0, %p2;\n" +
                            more + "selp.u32 %r7, %r4, %r6, %p1; st.global.u32 [%rd1], %r7;"));
  };
  EXPECT_EQ(found(""), Found{"read-after-write shared 2-3"});
  EXPECT_EQ(found("mov.u32 %r5, 3;"), Found{"read-after-write shared 2-3"});
}

/// Thread 0 alone looks at a variable and changes it.
TEST(LateLoads, MayBeUsedBehindTheBranchThatTheyDecide) {
  const auto counting = [](const std::string& lanes) {
    return findings(
        checked("setp.ne.u32 %p1, %r31, 0; @!%p1 st.shared.u32 [other], 0; bar.sync 0;\n"
                "setp.ge.u32 %p2, %r31, " +
                lanes + ";\n" + line(3) +
                "ld.shared.u32 %r4, [other]; setp.gt.s32 %p4, %r4, 9;\n"
                "or.pred %p5, %p2, %p4; @%p5 bra $on;\nadd.u32 %r9, %r4, 1;\n" +
                line(4) + "st.shared.u32 [other], %r9;\n$on:"));
  };
  EXPECT_EQ(counting("1"), Found{});
  EXPECT_NE(counting("2"), Found{});
}

TEST(LateLoads, SayInWhichEpochTheyRan) {
  Machine machine = checked(loadByAll(40) +
                            "bar.sync 0; bar.sync 0;\n"
                            "selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;");
  const GridResult result = machine.run();
  ASSERT_EQ(result.hazards.size(), 1u);
  EXPECT_EQ(result.hazards[0].epoch, 0u);
}

TEST(LateLoads, KeepTheirTimeWhereABarrierComesBeforeTheUse) {
  expectByUser("bar.sync 0; selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;");
  expectByUser("bar.sync 0; bar.sync 0; @!%p1 bra $out; st.global.u32 [%rd1], %r4; $out:");
  expectByUser("@!%p1 bra $out; st.global.u32 [%rd1], %r4; $out:");
  // A write between the load and the barrier is one, and a write behind it is none.
  const auto storing = [](const std::string& before, const std::string& behind) {
    return findings(
        checked("setp.eq.u32 %p1, %r31, 40; setp.eq.u32 %p2, %r31, 0;\n"
                "@%p2 st.shared.u32 [other], 1; bar.sync 0;\n" +
                line(3) + "ld.shared.u32 %r4, [other];\n" + line(4) + before + "bar.sync 0;\n" +
                line(5) + behind + "selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;"));
  };
  const std::string store = "@%p2 st.shared.u32 [other], 2;\n";
  EXPECT_EQ(storing("", store), Found{});
  EXPECT_EQ(storing(store, "").size(), 1u);
  EXPECT_EQ(storing("", store + "bar.sync 0;\n"), Found{});
}

/// As in a scan by shuffles, in which lane 0 takes its value with the first one and once more
/// behind it.
TEST(LateLoads, MayBeUsedBehindAShuffle) {
  const auto scanning = [](int user, const std::string& before) {
    return findings(
        checked("setp.eq.u32 %p1, %r31, " + std::to_string(user) + "; setp.eq.u32 %p2, %r31, 0;\n" +
                    before + line(3) + "ld.shared.u32 %r4, [other]; selp.u32 %r5, %r4, 0, %p1;\n" +
                    "shfl.sync.up.b32 %r6, %r5, 1, 0, -1; selp.u32 %r7, %r4, %r6, %p1;\n" +
                    line(4) + "@%p2 st.shared.u32 [other], %r7;\n",
                32));
  };
  const std::string first = "@%p2 st.shared.u32 [other], 1; bar.sync 0;\n";
  EXPECT_EQ(scanning(0, first), Found{});
  EXPECT_EQ(scanning(5, first), Found{"write-after-read shared 3-4"});
  // Others may have heard by the shuffle, and told more of them, what comes behind the load.
  EXPECT_EQ(scanning(0, first + "membar.cta;\n"), Found{"write-after-read shared 3-4"});
}

TEST(LateLoads, MayBeUsedBehindABarrierOfTheWarp) {
  const auto meeting = [](int user, const std::string& lanes, const std::string& more = {}) {
    return findings(checked(
        "setp.eq.u32 %p1, %r31, " + std::to_string(user) + "; setp.eq.u32 %p2, %r31, 0;\n" +
            "setp.lt.u32 %p3, %r31, 16;\n@%p2 st.shared.u32 [other], 1; bar.warp.sync -1;\n" +
            line(3) + "ld.shared.u32 %r4, [other];\n@!%p3 bra $rest; bar.warp.sync " + lanes +
            ";\n" + line(4) + "@%p2 st.shared.u32 [other], 7;\n$rest: " + more +
            "selp.u32 %r5, %r4, 0, %p1; st.global.u32 [%rd1], %r5;",
        32));
  };
  EXPECT_EQ(meeting(0, "0xffff"), Found{});
  EXPECT_EQ(meeting(5, "0xffff"), Found{});
  EXPECT_EQ(meeting(20, "0xffff").size(), 1U);
  // A later barrier of all comes behind the store.
  EXPECT_EQ(meeting(20, "0xffff", "bar.warp.sync -1;\n").size(), 1U);
  EXPECT_EQ(meeting(5, "0xffff", "bar.warp.sync -1;\n"), Found{});
}

TEST(LateLoads, LeaveAMarkForOtherBlocks) {
  const auto found = [](const std::string& user) {
    Machine machine = checked("setp.eq.u32 %p1, %r30, " + user +
                                  "; setp.eq.u32 %p2, %r30, 1;\nld.global.u32 %r4, [%rd30];\n"
                                  "bar.sync 0; selp.u32 %r6, %r4, 0, %p1;\n"
                                  "st.shared.u32 [tile], %r6; @%p2 st.global.u32 [%rd30], 7;",
                              1);
    machine.request.launch.grid = {3, 1, 1};
    return findings(std::move(machine)).size();
  };
  EXPECT_EQ(found("1"), 0u);
  EXPECT_EQ(found("0"), 1u);
  EXPECT_EQ(found("2"), 1u);
}

/// The way of thread 0 puts there what it has stored, and the others load it.
TEST(LateLoads, MayStandInABranch) {
  const auto branching = [](int user) {
    return findings(checked("setp.eq.u32 %p1, %r31, " + std::to_string(user) +
                            "; setp.eq.u32 %p2, %r31, 0;\n" + "@%p2 bra $store;\n" + line(3) +
                            "ld.shared.u32 %r4, [other];\nbra $on;\n$store:" + line(2) +
                            "mov.u32 %r4, 1;\nst.shared.u32 [other], %r4;\n$on:" + line(4) +
                            "setp.ne.u32 %p3, %r4, 0; and.pred %p5, %p1, %p3;" + kEnd));
  };
  EXPECT_EQ(branching(0), Found{});
  // Which of them is first is not said by the order in which they ran here.
  EXPECT_EQ(branching(40).size(), 1u);
}

TEST(LateLoads, OfAnEarlierRoundDoNotCountInALaterOne) {
  // Thread 1 loads in the first round alone, which a barrier ends; in the second it has its own.
  const std::string rounds =
      "mov.u32 %r9, 0; setp.eq.u32 %p2, %r31, 0; setp.eq.u32 %p1, %r31, 1;\n"
      "@%p2 st.shared.u32 [other], 1;\n$round: bar.sync 0;\n"
      "setp.eq.u32 %p3, %r9, 0; @%p3 bra $load; mov.u32 %r4, 1; bra $on;\n"
      "$load: ld.shared.u32 %r4, [other];\n"
      "$on: selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;\n"
      "setp.eq.u32 %p3, %r9, 1; and.pred %p5, %p2, %p3; @%p5 st.shared.u32 [other], 2;\n"
      "add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 2; @%p3 bra $round;";
  EXPECT_EQ(findings(checked(rounds)), Found{});
}

TEST(LateLoads, OfWhichSumsAreMadeCountInEachRound) {
  // Thread 0 stores in the first round alone, with no barrier before the others load.
  const std::string rounds =
      "mov.u32 %r9, 0; mov.u32 %r5, 0; setp.eq.u32 %p2, %r31, 0; setp.eq.u32 %p1, %r31, 40;\n"
      "$round: setp.eq.u32 %p3, %r9, 0; and.pred %p3, %p2, %p3;\n" +
      line(2) + "@%p3 st.shared.u32 [other], 1;\n" + line(3) +
      "ld.shared.u32 %r4, [other];\nadd.u32 %r5, %r5, %r4;\nbar.sync 0;\n"
      "add.u32 %r9, %r9, 1; setp.lt.u32 %p3, %r9, 3; @%p3 bra $round;\n"
      "@%p1 st.global.u32 [%rd1], %r5;";
  EXPECT_EQ(findings(checked(rounds)), Found{"read-after-write shared 2-3"});
}

/// Behind the load its address register may hold that of another place.
TEST(LateLoads, AreLookedAtAtOnceWhereTheirAddressMoves) {
  const auto found = [](const std::string& behind) {
    return findings(checked("mov.u32 %r7, other; setp.eq.u32 %p1, %r31, 0;\n" + line(2) +
                            "@%p1 st.shared.u32 [other], 1;\n" + line(3) +
                            "ld.shared.u32 %r4, [%r7];\n" + behind +
                            "selp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;"));
  };
  EXPECT_EQ(found(""), Found{});
  EXPECT_EQ(found("add.u32 %r7, %r7, 8;\n"), Found{"read-after-write shared 2-3"});
}

/// Another array begins where the tile ends, so that the access itself is possible.
TEST(LateLoads, AreStillLookedAtForBounds) {
  const auto found = [](const std::string& place) {
    return findings(
        checked("setp.eq.u32 %p1, %r31, 0; @%p1 st.shared.u32 [other], 1;\n"
                "@%p1 st.shared.u32 [tile], 1;\n" +
                    line(3) + "ld.shared.u32 %r4, [" + place +
                    "];\nselp.u32 %r6, %r4, 0, %p1; st.global.u32 [%rd1], %r6;",
                1));
  };
  EXPECT_EQ(found("tile"), Found{});
  EXPECT_EQ(found("tile+256"), Found{"out-of-bounds 3"});
}

}  // namespace late_loads_test
}  // namespace tilestep::simt
