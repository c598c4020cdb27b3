// SPDX-License-Identifier: Apache-2.0
// By which powers of two registers change, and where nothing may be said.
#include "ptx/analysis/grains.h"

#include <gtest/gtest.h>

#include "unit/ptx/support.h"

namespace tilestep::ptx {
namespace grains_test {

class GrainsTest : public ::testing::Test {
 protected:
  [[nodiscard]] static uint32_t grain(const std::string& body, const std::string& name) {
    const Function function = kernel(body);
    const Grains grains(function);
    for (uint32_t reg = 0; reg < function.registers.size(); ++reg) {
      if (function.registers[reg].name == name) return grains.grain(reg);
    }
    return kNone;
  }

  static std::string loop(const std::string& body) {
    return "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r3, %ntid.x;\nL:\n" + body +
           "\nsetp.lt.s32 %p1, %r2, 9;\n@%p1 bra L;\nret;";
  }
};

TEST_F(GrainsTest, ACounterAndWhatIsMadeOfIt) {
  const std::string body = loop(
      "shl.b32 %r4, %r2, 4;\nmad.lo.s32 %r5, %r4, %r3, %r1;\nmul.wide.s32 %rd1, %r5, 4;\n"
      "mul.lo.s32 %r6, %r2, %r2;\nadd.s32 %r2, %r2, 6;");
  EXPECT_EQ(grain(body, "%r2"), 1U);
  EXPECT_EQ(grain(body, "%r4"), 5U);
  EXPECT_EQ(grain(body, "%r5"), 5U);
  EXPECT_EQ(grain(body, "%rd1"), 7U);
  EXPECT_EQ(grain(body, "%r6"), 0U);
  EXPECT_GE(grain(body, "%r1"), 32U);
}

TEST_F(GrainsTest, AStepOfTheLaunchs) {
  const std::string body = loop(
      "shl.b32 %r4, %r3, 5;\nadd.s32 %r2, %r2, %r4;\nadd.s32 %r5, %r2, %r3;\n"
      "sub.s32 %r6, %r5, %r2;\nadd.s32 %r7, %r6, %r3;");
  EXPECT_EQ(grain(body, "%r2"), 5U);
  EXPECT_EQ(grain(body, "%r5"), 5U);
  EXPECT_EQ(grain(body, "%r7"), 5U);
  EXPECT_EQ(grain(loop("add.s32 %r2, %r2, %r3;"), "%r2"), 0U);
}

TEST_F(GrainsTest, NothingOfGuardedStepsLoadsAndTwoBeginnings) {
  EXPECT_EQ(grain(loop("@%p2 add.s32 %r2, %r2, 32;"), "%r2"), 0U);
  EXPECT_EQ(grain(loop("ld.shared.u32 %r4, [%r1];\nadd.s32 %r2, %r2, 32;"), "%r4"), 0U);
  EXPECT_EQ(grain(loop("@%p2 bra A;\nmov.u32 %r2, 3;\nA:\nadd.s32 %r2, %r2, 32;"), "%r2"), 0U);
  EXPECT_EQ(grain(loop("shr.u32 %r4, %r2, 1;\nadd.s32 %r2, %r2, 32;"), "%r4"), 0U);
}

}  // namespace grains_test
}  // namespace tilestep::ptx
