// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/accumulators.h"

#include <gtest/gtest.h>

#include "ptx/analysis/control_flow.h"
#include "ptx/analysis/definitions.h"
#include "ptx/analysis/strong_components.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx::accumulators_test {

TEST(Accumulators, ExclusiveLoopsWithACommonStoreShareOneSum) {
  const Accumulators found =
      findAccumulators(kernel("mov.f32 %f1, 0f00000000;\n"
                              "@%p2 bra edge;\n"
                              "inside: fma.rn.f32 %f1, %f2, %f3, %f1;\n"
                              "@%p1 bra inside;\n"
                              "bra.uni end;\n"
                              "edge: fma.rn.f32 %f1, %f4, %f5, %f1;\n"
                              "@%p1 bra edge;\n"
                              "end: st.global.f32 [%rd1], %f1;\n"
                              "ret;"));
  EXPECT_EQ(found.count, 1U);
  EXPECT_EQ(found.updatedBy[2], 0U);
  EXPECT_EQ(found.updatedBy[5], 0U);
  ASSERT_EQ(found.stores.size(), 1U);
  EXPECT_EQ(found.stores[0].elements, std::vector<uint32_t>{0});
}

TEST(Accumulators, TwoSumsInOneLoopStaySeparate) {
  const Accumulators found =
      findAccumulators(kernel("mov.f32 %f1, 0f00000000;\n"
                              "mov.f32 %f2, 0f00000000;\n"
                              "loop: fma.rn.f32 %f1, %f3, %f4, %f1;\n"
                              "fma.rn.f32 %f2, %f5, %f6, %f2;\n"
                              "@%p1 bra loop;\n"
                              "@%p2 bra end;\n"
                              "mov.f32 %f1, %f2;\n"
                              "end: st.global.f32 [%rd1], %f1;\n"
                              "ret;"));
  if (found.updatedBy[2] != kNone) {
    EXPECT_NE(found.updatedBy[2], found.updatedBy[3]);
  }
}

/// Compilers unroll `sum = 0; for (…) sum += a[i] * b[i];` like this.
TEST(Accumulators, TheFirstProductOfAnUnrolledSumCounts) {
  const Function function = kernel(
      "fma.rn.f32 %f1, %f8, %f9, 0f00000000;\n"
      "fma.rn.f32 %f2, %f8, %f9, %f1;\n"
      "st.global.f32 [%rd1], %f2; ret;");
  const Accumulators found = findAccumulators(function);
  EXPECT_EQ(found.count, 1U);
  EXPECT_EQ(found.updatedBy[0], 0U);
  EXPECT_EQ(found.updatedBy[1], 0U);
}

TEST(Accumulators, AnEmptyFunctionHasNone) {
  EXPECT_EQ(findAccumulators(kernel("")).count, 0U);
  EXPECT_EQ(findAccumulators(kernel("ret;")).count, 0U);
}

TEST(Accumulators, AGuardedUpdateCounts) {
  EXPECT_EQ(findAccumulators(kernel("mov.f32 %f1, 0f00000000;\nloop:\n"
                                    "@%p2 fma.rn.f32 %f1, %f2, %f3, %f1;\n@%p1 bra loop;\n"
                                    "st.global.f32 [%rd1], %f1;\nret;"))
                .count,
            1U);
}

TEST(Definitions, AGuardedWriteKeepsTheEarlierDefinition) {
  const Function function = kernel("mov.u32 %r1, 1;\n@%p1 mov.u32 %r1, 2;\nmov.u32 %r2, %r1;");
  const ControlFlow flow = analyseControlFlow(function);
  const Definitions definitions(function, flow);
  std::vector<uint32_t> seen;
  definitions.walk([&](uint32_t i, const Definitions::Sets& sets) {
    if (i == 2) seen = sets[function.body[2].operands[1].reg];
  });
  EXPECT_EQ(seen, (std::vector<uint32_t>{0, 1}));
}

TEST(Definitions, ReachTheNextIterationOfALoop) {
  const Function function =
      kernel("mov.u32 %r1, 1;\nloop:\nadd.u32 %r1, %r1, 1;\n@%p1 bra loop;\nmov.u32 %r1, 2;");
  const ControlFlow flow = analyseControlFlow(function);
  const Definitions definitions(function, flow);
  definitions.walk([&](uint32_t i, const Definitions::Sets& sets) {
    if (i != 1) return;
    EXPECT_EQ(sets[function.body[1].operands[1].reg], (std::vector<uint32_t>{0, 1}));
  });
}

TEST(StrongComponents, FindsCycles) {
  const std::vector<uint32_t> component = strongComponents({{1}, {2}, {0, 3}, {4}, {}, {5}});
  EXPECT_EQ(component[0], component[1]);
  EXPECT_EQ(component[0], component[2]);
  EXPECT_NE(component[0], component[3]);
  EXPECT_NE(component[3], component[4]);
  EXPECT_NE(component[4], component[5]);
}

}  // namespace tilestep::ptx::accumulators_test
