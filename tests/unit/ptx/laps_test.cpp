// SPDX-License-Identifier: Apache-2.0
// Which loops have laps, where a lap can be checked, and which loops must be counted otherwise.
#include "ptx/analysis/laps.h"

#include <gtest/gtest.h>

#include "ptx/rewrite/instrument_access.h"
#include "ptx/rewrite/instrument_groups.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx {
namespace laps_test {

using How = LapPart::How;

class LapsTest : public ::testing::Test {
 protected:
  std::vector<Lap> look(const std::string& body) {
    function_ = kernel(body);
    Result<std::vector<Segment>> segments = segmentsOf(function_);
    EXPECT_TRUE(segments.ok());
    std::vector<std::vector<AccessGroup>> groups;
    for (const Segment& s : *segments) groups.push_back(groupAccesses(function_, s));
    return findLaps(function_, *segments, groups, LaneMoves(function_));
  }

  /// A loop of nine rounds around `body`; %r1 and %rd1 are each thread's own, %p2 and %p3 too.
  static std::string loop(const std::string& body) {
    return "mov.u32 %r1, %tid.x;\nmul.wide.s32 %rd1, %r1, 4;\nmov.u32 %r2, 0;\n"
           "setp.lt.s32 %p2, %r1, 7;\nsetp.lt.s32 %p3, %r1, 9;\nL:\n" +
           body +
           "\nadd.s64 %rd1, %rd1, 4;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n"
           "@%p1 bra L;\nret;";
  }

  Function function_;
};

TEST_F(LapsTest, ATiledLoop) {
  const auto laps = look(
      loop("@%p2 bra A;\nld.global.f32 %f1, [%rd1];\nA:\nst.shared.f32 [%r1], %f1;\nbar.sync 0;\n"
           "ld.shared.f32 %f2, [%r1+4];\nbar.sync 0;"));
  ASSERT_EQ(laps.size(), 1U);
  const Lap& lap = laps[0];
  EXPECT_EQ(lap.barriers, 2U);
  EXPECT_FALSE(lap.mayNotFit());
  // The first barrier: behind it all lanes go one way.
  EXPECT_TRUE(isBarrier(function_.body[lap.checkAt]));
  EXPECT_TRUE(function_.body[lap.checkAt - 1].opcode == Opcode::st);
  ASSERT_EQ(lap.parts.size(), 5U);
  EXPECT_EQ(lap.parts[0].how, How::always);
  EXPECT_EQ(lap.parts[1].how, How::sometimes);
  EXPECT_EQ(lap.parts[2].how, How::always);
  EXPECT_EQ(lap.parts[2].epoch, 0U);
  EXPECT_EQ(lap.parts[3].epoch, 1U);
  EXPECT_EQ(lap.parts[4].epoch, 2U);
}

TEST_F(LapsTest, TheCheckStandsBehindWhatLanesDoApart) {
  const auto laps =
      look(loop("bar.sync 0;\n@%p2 bra A;\nst.shared.f32 [%r1], %f1;\nA:\nbar.sync 0;"));
  ASSERT_EQ(laps.size(), 1U);
  EXPECT_TRUE(function_.body[laps[0].checkAt - 1].opcode == Opcode::st);
}

TEST_F(LapsTest, ALoopWithin) {
  const auto rounds =
      look(loop("mov.u32 %r3, 0;\nB:\nld.shared.f32 %f1, [%r1];\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p4, %r3, %r2;\n@%p4 bra B;\nbar.sync 0;"));
  ASSERT_EQ(rounds.size(), 1U);
  EXPECT_EQ(rounds[0].parts[1].how, How::repeated);
  EXPECT_FALSE(rounds[0].mayNotFit());
  const auto loads =
      look(loop("mov.u32 %r3, 0;\nB:\nld.global.f32 %f1, [%rd1];\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p4, %r3, %r2;\n@%p4 bra B;\nbar.sync 0;"));
  ASSERT_EQ(loads.size(), 1U);
  EXPECT_EQ(loads[0].parts[1].how, How::unfit);
  EXPECT_TRUE(loads[0].mayNotFit());
  const auto own =
      look(loop("mov.u32 %r3, 0;\nB:\nld.shared.f32 %f1, [%r1];\nadd.s32 %r3, %r3, 1;\n"
                "setp.lt.s32 %p4, %r3, %r1;\n@%p4 bra B;\nbar.sync 0;"));
  ASSERT_EQ(own.size(), 1U);
  EXPECT_TRUE(own[0].mayNotFit());
}

TEST_F(LapsTest, NoneWhereTwoPartiesReachOneSegment) {
  // if (a) { if (b) goto S; } else { if (b) S: store; }
  EXPECT_TRUE(look(loop("@%p2 bra A;\n@%p3 bra S;\nbra E;\nA:\n@%p3 bra E;\nS:\n"
                        "st.shared.f32 [%r1], %f1;\nE:\nbar.sync 0;"))
                  .empty());
}

TEST_F(LapsTest, NoneWhereLanesMayBeApart) {
  EXPECT_TRUE(look(loop("@%p2 bar.sync 0;")).empty());
  EXPECT_TRUE(look(loop("@%p2 bra A;\nbar.sync 0;\nA:")).empty());
  EXPECT_TRUE(look(loop("@%p2 ret;\nbar.sync 0;")).empty());
  EXPECT_TRUE(
      look(loop("bar.sync 0;\n@%p2 bra E;\nadd.s32 %r4, %r4, 1;\nbra F;\nE:\nret;\nF:")).empty());
  // As many rounds as each thread's own index says.
  EXPECT_TRUE(look("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL:\nbar.sync 0;\n"
                   "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\nret;")
                  .empty());
  // Some lanes never come to the loop.
  EXPECT_TRUE(look("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nsetp.lt.s32 %p2, %r1, 7;\n@%p2 bra E;\n"
                   "L:\nbar.sync 0;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;\n"
                   "E:\nret;")
                  .empty());
}

TEST_F(LapsTest, NoneWhereTheTextSaysTooLittle) {
  EXPECT_TRUE(look(loop("@%p2 ld.global.f32 %f1, [%rd1];\nbar.sync 0;")).empty());
  EXPECT_TRUE(look(loop("@%p2 fma.rn.f32 %f1, %f1, %f1, %f1;\nbar.sync 0;")).empty());
  EXPECT_TRUE(look(loop("ld.f32 %f1, [%rd1];\nbar.sync 0;")).empty());
  // Addresses that the data decides.
  EXPECT_TRUE(
      look(loop("ld.shared.u32 %r3, [%r1];\nld.shared.f32 %f1, [%r3];\nbar.sync 0;")).empty());
  // An address that is gone before any place where a lap could be checked.
  EXPECT_TRUE(look(loop("mov.b64 %rd2, %rd1;\nld.global.f32 %f1, [%rd2];\nadd.s64 %rd2, %rd1, 64;\n"
                        "ld.global.f32 %f1, [%rd2];\nbar.sync 0;"))
                  .empty());
}

}  // namespace laps_test
}  // namespace tilestep::ptx
