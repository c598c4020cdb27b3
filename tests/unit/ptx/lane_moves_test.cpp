// SPDX-License-Identifier: Apache-2.0
// What moves in step with its neighbours' copies, and what only looks so.
#include "ptx/analysis/lane_moves.h"

#include <gtest/gtest.h>

#include <optional>

#include "unit/ptx/support.h"

namespace tilestep::ptx {
namespace lane_moves_test {

class LaneMovesTest : public ::testing::Test {
 protected:
  void look(const std::string& body) {
    function_ = kernel(body);
    moves_.emplace(function_);
  }
  [[nodiscard]] uint32_t index(const std::string& name) const {
    for (uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
      if (function_.registers[reg].name == name) return reg;
    }
    return kNone;
  }
  [[nodiscard]] bool inStep(const std::string& name) const { return moves_->inStep(index(name)); }
  [[nodiscard]] uint32_t own(const std::string& name) const { return moves_->ownPart(index(name)); }

  Function function_;
  std::optional<LaneMoves> moves_;
};

TEST_F(LaneMovesTest, APointerThatWalksByTheSameStep) {
  look(
      "mov.u32 %r1, %tid.x;\nmul.wide.s32 %rd1, %r1, 4;\nmov.u32 %r2, 0;\nL:\n"
      "ld.global.f32 %f1, [%rd1];\nadd.s64 %rd2, %rd1, 128;\nadd.s64 %rd1, %rd1, 64;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;\nret;");
  EXPECT_TRUE(inStep("%rd1"));
  EXPECT_TRUE(inStep("%r2"));
  EXPECT_EQ(own("%r2"), 0U);            // the same in all threads
  EXPECT_EQ(own("%rd1"), own("%rd2"));  // they differ by what all threads share
  EXPECT_NE(own("%rd1"), 0U);
  EXPECT_FALSE(inStep("%f1"));
}

TEST_F(LaneMovesTest, AStepOfEachThreadsOwn) {
  look(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r3, %r1;\nL:\n"
      "add.s32 %r3, %r3, %r1;\nmul.lo.s32 %r4, %r2, %r1;\nmul.lo.s32 %r5, %r2, 12;\n"
      "shr.u32 %r6, %r3, 4;\nadd.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;\nret;");
  EXPECT_FALSE(inStep("%r3"));
  EXPECT_FALSE(inStep("%r4"));
  EXPECT_TRUE(inStep("%r5"));
  EXPECT_FALSE(inStep("%r6"));
}

TEST_F(LaneMovesTest, ADivisionMovesInStepOnlyBeforeTheLoop) {
  look(
      "mov.u32 %r1, %tid.x;\nshr.u32 %r2, %r1, 4;\nmov.u32 %r3, %r1;\nL:\n"
      "shr.u32 %r4, %r3, 4;\nadd.s32 %r5, %r2, %r3;\nadd.s32 %r3, %r3, 256;\n"
      "setp.lt.s32 %p1, %r3, 9;\nmov.u32 %r6, %ctaid.x;\nsetp.lt.s32 %p2, %r6, 9;\n"
      "@%p2 bra L;\nret;");
  EXPECT_TRUE(inStep("%r2"));
  EXPECT_FALSE(inStep("%r4"));
  EXPECT_TRUE(inStep("%r5"));
}

// A counter that only some lanes raise, and one raised behind the place where all meet.
TEST_F(LaneMovesTest, DivergedLanesReconvergeWithDifferentValues) {
  look(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\nsetp.lt.s32 %p1, %r1, 9;\nL:\n"
      "@%p1 bra M;\nadd.s32 %r2, %r2, 1;\nM:\nadd.s32 %r3, %r3, 1;\nadd.s32 %r4, %r1, %r2;\n"
      "setp.lt.s32 %p2, %r3, 9;\n@%p2 bra L;\nret;");
  EXPECT_FALSE(inStep("%r2"));
  EXPECT_FALSE(inStep("%r4"));
  EXPECT_TRUE(inStep("%r3"));
}

// Lanes that leave a loop in different rounds keep different counters.
TEST_F(LaneMovesTest, AfterALoopThatLanesLeaveApart) {
  look(
      "mov.u32 %r1, %tid.x;\nmov.u32 %r5, 0;\nO:\nmov.u32 %r2, 0;\nL:\nadd.s32 %r3, %r2, 4;\n"
      "add.s32 %r2, %r2, 1;\nsetp.lt.s32 %p1, %r2, %r1;\n@%p1 bra L;\nadd.s32 %r4, %r2, 1;\n"
      "add.s32 %r5, %r5, 1;\nsetp.lt.s32 %p2, %r5, 9;\n@%p2 bra O;\nret;");
  EXPECT_FALSE(inStep("%r2"));
  EXPECT_FALSE(inStep("%r4"));
  EXPECT_TRUE(inStep("%r5"));
}

// The whole kernel under a guard: nothing that is read behind it is written in it.
TEST_F(LaneMovesTest, AGuardAroundALoopDoesNoHarm) {
  look(
      "mov.u32 %r1, %tid.x;\nsetp.gt.s32 %p1, %r1, 9;\n@%p1 bra END;\nmov.u32 %r2, %r1;\n"
      "mov.u32 %r3, 0;\nL:\nadd.s32 %r2, %r2, 8;\nadd.s32 %r3, %r3, 1;\n"
      "setp.lt.s32 %p2, %r3, 9;\n@%p2 bra L;\nEND:\nret;");
  EXPECT_TRUE(inStep("%r2"));
  EXPECT_TRUE(inStep("%r3"));
}

TEST_F(LaneMovesTest, LoadsInLoopsOrUnderGuardsMoveUnpredictably) {
  look(
      "mov.u32 %r1, %tid.x;\nld.global.u32 %r2, [%rd0];\nmov.u32 %r3, 0;\n"
      "setp.lt.s32 %p2, %r1, 4;\nL:\nld.global.u32 %r4, [%rd0];\n@%p2 mov.u32 %r5, 3;\n"
      "add.s32 %r6, %r2, %r3;\nadd.s32 %r3, %r3, 1;\nsetp.lt.s32 %p1, %r3, 9;\n@%p1 bra L;\nret;");
  EXPECT_TRUE(inStep("%r2"));  // once, so each thread keeps it
  EXPECT_TRUE(inStep("%r6"));
  EXPECT_FALSE(inStep("%r4"));
  EXPECT_FALSE(inStep("%r5"));
}

}  // namespace lane_moves_test
}  // namespace tilestep::ptx
