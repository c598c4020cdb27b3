// SPDX-License-Identifier: Apache-2.0
#include "ptx/lanes/partings.h"

#include <gtest/gtest.h>

#include "support.h"

namespace tilestep::ptx::partings_test {

/// The parting at the end of block 0, such as "ends at 3, early 2; ways 1 2".
std::string partingOf(const std::string& body) {
  const Function function = kernel(body);
  const ControlFlow flow = analyseControlFlow(function);
  const Parting parting = partingAt(function, flow, 0);
  std::string text = "ends at " + (parting.end == kNone ? "none" : std::to_string(parting.end));
  for (const uint32_t block : parting.early) text += ", early " + std::to_string(block);
  text += "; ways";
  for (const uint32_t block : numbersOf(parting.ways)) text += " " + std::to_string(block);
  return text;
}

TEST(Partings, BothDirectionsOfAnIfMeetAfterIt) {
  EXPECT_EQ(partingOf("@%p1 bra A;\nadd.s32 %r1, %r1, 1;\nbra B;\nA: add.s32 %r1, %r1, 2;\n"
                      "B: st.global.u32 [%rd1], %r1;\nret;"),
            "ends at 3; ways 1 2");
}

TEST(Partings, LanesThatReturnImmediatelyDoNotDelayTheEnd) {
  EXPECT_EQ(partingOf("@%p1 bra A;\n@%p2 bra END;\nbra B;\nA: add.s32 %r1, %r1, 2;\n"
                      "B: st.global.u32 [%rd1], %r1;\nEND: ret;"),
            "ends at 4; ways 1 2 3 5");
}

TEST(Partings, LanesThatStoreBeforeReturningDelayTheEnd) {
  EXPECT_EQ(partingOf("@%p1 bra A;\n@%p2 bra C;\nbra B;\nA: add.s32 %r1, %r1, 2;\n@%p3 bra C;\n"
                      "B: st.global.u32 [%rd1], %r1;\nbra END;\n"
                      "C: st.global.u32 [%rd1+4], %r1;\nEND: ret;"),
            "ends at 6, early 4, early 5; ways 1 2 3 4 5");
}

TEST(Partings, ADirectionThroughAnotherDirectionJoinsIt) {
  EXPECT_EQ(partingOf("@%p1 bra A;\n@%p2 bra A;\nst.global.u32 [%rd1+8], %r1;\nbra END;\n"
                      "A: @%p3 bra B;\nadd.s32 %r1, %r1, 1;\n"
                      "B: st.global.u32 [%rd1], %r1;\nEND: st.global.u32 [%rd1+4], %r1;\nret;"),
            "ends at 6, early 3; ways 1 2 3 4 5")
      << "B follows A, where both directions have already met";
}

}  // namespace tilestep::ptx::partings_test
