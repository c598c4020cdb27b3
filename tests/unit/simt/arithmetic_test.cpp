// SPDX-License-Identifier: Apache-2.0
// Cases that tests/cosim cannot run on an H200: instructions of newer GPUs, guards, masks and
// rejected instructions.
#include <gtest/gtest.h>

#include "machine.h"

namespace tilestep::simt::arithmetic_test {

TEST(Arithmetic, ExtremaOfThree) {
  EXPECT_EQ(ofFloats("mov.f32 %f3, 0f40000000; mov.f32 %f4, 0fC0A00000;"
                     "min.f32 %f2, %f1, %f3, %f4;",
                     {1.0F, -7.0F}),
            (std::vector<float>{-5.0F, -7.0F}));
  EXPECT_EQ(ofFloats("mov.f32 %f3, 0f40000000; max.f32 %f2, %f3, 0f3F800000, %f1;", {1.0F, 9.0F}),
            (std::vector<float>{2.0F, 9.0F}));
  EXPECT_EQ(ofFloatBits("mov.f32 %f3, 0f40000000; max.NaN.f32 %f2, %f3, 0f3F800000, %f1;",
                        {0x7f800001, 0x40800000}),
            (Words{0x7fffffff, 0x40800000}));
}

TEST(Arithmetic, TheCarryIsKeptIfTheGuardIsFalse) {
  EXPECT_EQ(ofWords("add.cc.u32 %r3, 0xffffffff, 1; setp.eq.u32 %p1, %r1, 0;"
                    "@%p1 add.cc.u32 %r3, 1, 1; addc.u32 %r2, 0, 0;",
                    {0, 1}),
            (Words{0, 1}));
}

TEST(Arithmetic, EachLaneHasItsOwnCarry) {
  EXPECT_EQ(ofWords("add.cc.u32 %r3, %r1, 0x80000000; bra NEXT;\nNEXT: addc.u32 %r2, 0, 0;",
                    {0, 0x80000000, 0x7fffffff, 0xffffffff}),
            (Words{0, 1, 0, 1}));
}

TEST(Arithmetic, ADestinationPairMayIncludeTheGuard) {
  EXPECT_EQ(ofWords("setp.ne.u32 %p1, %r1, 0; mov.pred %p2, 0;"
                    "@%p1 setp.eq.u32 %p1|%p2, %r1, 7; selp.u32 %r3, 1, 0, %p1;"
                    "selp.u32 %r4, 2, 0, %p2; or.b32 %r2, %r3, %r4;",
                    {0, 7, 8}),
            (Words{0, 1, 2}));
}

TEST(Arithmetic, TheRoundingModeIsRestored) {
  EXPECT_EQ(ofFloatBits("add.rp.f32 %f3, %f1, 0f33000000; add.rn.f32 %f2, %f1, 0f33000000;",
                        {0x3f800000}),
            (Words{0x3f800000}));
}

TEST(Arithmetic, UnknownInstructionsAreRefusedBeforeTheLaunch) {
  for (const std::string body :
       {"add.f32.f16 %f1, %h1, %f2;", "add.sat.u32 %r1, %r2, %r3;", "mul.rn.odd.f32 %f1, %f2, %f3;",
        "cvt.rs.f16.f32 %h1, %f1;", "vadd.u32.u32.u32 %r1, %r2, %r3;",
        "shfl.sync.down.strange.b32 %r2, %r1, 1, 31, -1;", "ld.global.strange.u32 %r2, [%rd1];",
        "st.global.strange.u32 [%rd1], %r1;", "atom.global.add.strange.u32 %r2, [%rd1], %r1;",
        "atom.global.add.b32 %r1, [%rd30], 1;", "red.global.inc.u64 [%rd30], 1;",
        "atom.global.min.f32 %f1, [%rd30], %f2;", "mov.b64 %rd1, {};", "mov.b64 {}, %rd1;",
        "st.shared.u32 %r1, %r2;",  // No address.
        "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
        "{%r3}, {%f1, %f2, %f3, %f4};",
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
        "{%r3}, {%f1, %f2, %f3, %f4};"}) {
    SCOPED_TRACE(body);
    Machine machine("st.global.u32 [%rd30], 1;\n" + body);
    machine.buffer("P", Words(4)).buffer("Q", Words(4));
    machine.request.check = true;
    EXPECT_TRUE(faulted(machine.run(), "unsupported-instruction",
                        "The interpreter does not support " + body.substr(0, body.find(' '))));
    EXPECT_EQ(machine.values<uint32_t>(0)[0], 0u);
  }
}

}  // namespace tilestep::simt::arithmetic_test
