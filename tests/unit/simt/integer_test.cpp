// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "machine.h"

namespace tilestep::simt {
namespace integer_test {

using Words = std::vector<uint32_t>;
using Longs = std::vector<uint64_t>;

constexpr uint32_t kMinInt = 0x80000000;

Longs ofLongs(const std::string& body, Longs in) {
  return evaluate<uint64_t>("u64", "%rd1", body, "u64", "%rd2", std::move(in));
}

TEST(Integer, AddsSubtractsAndMultipliesModulo) {
  EXPECT_EQ(ofWords("add.s32 %r2, %r1, 1;", {0, 0x7fffffff, 0xffffffff}), (Words{1, kMinInt, 0}));
  EXPECT_EQ(ofWords("sub.s32 %r2, 0, %r1;", {1, kMinInt}), (Words{0xffffffff, kMinInt}));
  EXPECT_EQ(ofWords("mul.lo.s32 %r2, %r1, %r1;", {0xffffffff, 65537}), (Words{1, 131073}));
  EXPECT_EQ(ofWords("mad.lo.s32 %r2, %r1, 3, 5;", {7, 0xffffffff}), (Words{26, 2}));
  EXPECT_EQ(ofWords("neg.s32 %r2, %r1;", {5, kMinInt}), (Words{0xfffffffb, kMinInt}));
  EXPECT_EQ(ofWords("abs.s32 %r2, %r1;", {0xfffffffb, 5, kMinInt}), (Words{5, 5, kMinInt}));
  EXPECT_EQ(ofLongs("add.s64 %rd2, %rd1, -1;", {0, 1}), (Longs{~0ull, 0}));
}

TEST(Integer, HighAndWideProducts) {
  EXPECT_EQ(ofWords("mul.hi.u32 %r2, %r1, %r1;", {0xffffffff}), (Words{0xfffffffe}));
  EXPECT_EQ(ofWords("mul.hi.s32 %r2, %r1, %r1;", {0xffffffff, kMinInt}), (Words{0, 0x40000000}));
  EXPECT_EQ(evaluate<uint64_t>("u32", "%r1", "mul.wide.s32 %rd2, %r1, 4;", "u64", "%rd2",
                               Words{0xffffffff, 3}),
            (Longs{~0ull - 3, 12}));
  EXPECT_EQ(evaluate<uint64_t>("u32", "%r1", "mul.wide.u32 %rd2, %r1, %r1;", "u64", "%rd2",
                               Words{0xffffffff}),
            (Longs{0xfffffffe00000001ull}));
  EXPECT_EQ(evaluate<uint64_t>("u32", "%r1", "mov.u64 %rd3, 10; mad.wide.s32 %rd2, %r1, 4, %rd3;",
                               "u64", "%rd2", Words{0xffffffff}),
            (Longs{6}));
  EXPECT_EQ(ofLongs("mul.hi.u64 %rd2, %rd1, %rd1;", {~0ull}), (Longs{~0ull - 1}));
  EXPECT_EQ(evaluate<uint32_t>("u16", "%h1", "mul.wide.u16 %r2, %h1, %h1;", "u32", "%r2",
                               std::vector<uint16_t>{65535}),
            (Words{65535u * 65535u}));
  EXPECT_EQ(evaluate<uint16_t>("u16", "%h1", "mul.lo.u16 %h2, %h1, %h1;", "u16", "%h2",
                               std::vector<uint16_t>{65535}),
            (std::vector<uint16_t>{1}));
}

TEST(Integer, DividesWithoutTrapping) {
  EXPECT_EQ(ofWords("div.s32 %r2, %r1, 3;", {7, 0xfffffff9}), (Words{2, 0xfffffffe}));
  EXPECT_EQ(ofWords("rem.s32 %r2, %r1, 3;", {7, 0xfffffff9}), (Words{1, 0xffffffff}));
  EXPECT_EQ(ofWords("div.s32 %r2, %r1, -1;", {kMinInt}), (Words{kMinInt}));
  EXPECT_EQ(ofWords("rem.s32 %r2, %r1, -1;", {kMinInt}), (Words{0}));
  EXPECT_EQ(ofWords("div.u32 %r2, 7, %r1;", {0, 2}), (Words{0xffffffff, 3}));
  EXPECT_EQ(ofWords("rem.u32 %r2, 7, %r1;", {0, 2}), (Words{0xffffffff, 1}));
  EXPECT_EQ(ofWords("div.u32 %r2, %r1, 2;", {0xffffffff}), (Words{0x7fffffff}));
}

TEST(Integer, ShiftsClampTheirAmount) {
  EXPECT_EQ(ofWords("shl.b32 %r2, 1, %r1;", {0, 31, 32, 33, 0xffffffff}),
            (Words{1, kMinInt, 0, 0, 0}));
  EXPECT_EQ(ofWords("shr.u32 %r2, 0x80000000, %r1;", {31, 32, 0xffffffff}), (Words{1, 0, 0}));
  EXPECT_EQ(ofWords("shr.s32 %r2, 0x80000000, %r1;", {31, 32, 0xffffffff}),
            (Words{0xffffffff, 0xffffffff, 0xffffffff}));
  EXPECT_EQ(ofLongs("shl.b64 %rd2, %rd1, 64;", {1}), (Longs{0}));
  EXPECT_EQ(ofLongs("shr.s64 %rd2, %rd1, 63;", {1ull << 63}), (Longs{~0ull}));
}

TEST(Integer, LogicAndExtremes) {
  EXPECT_EQ(ofWords("and.b32 %r2, %r1, 12;", {10}), (Words{8}));
  EXPECT_EQ(ofWords("or.b32 %r2, %r1, 12;", {10}), (Words{14}));
  EXPECT_EQ(ofWords("xor.b32 %r2, %r1, 12;", {10}), (Words{6}));
  EXPECT_EQ(ofWords("not.b32 %r2, %r1;", {10}), (Words{~10u}));
  EXPECT_EQ(ofWords("min.s32 %r2, %r1, 3;", {0xffffffff, 9}), (Words{0xffffffff, 3}));
  EXPECT_EQ(ofWords("min.u32 %r2, %r1, 3;", {0xffffffff, 1}), (Words{3, 1}));
  EXPECT_EQ(ofWords("max.s32 %r2, %r1, 3;", {0xffffffff, 9}), (Words{3, 9}));
}

TEST(Integer, BitFields) {
  EXPECT_EQ(ofWords("popc.b32 %r2, %r1;", {0, 0xff00ff00}), (Words{0, 16}));
  EXPECT_EQ(ofWords("clz.b32 %r2, %r1;", {0, 1, kMinInt}), (Words{32, 31, 0}));
  EXPECT_EQ(ofWords("brev.b32 %r2, %r1;", {1, 0x0000000f}), (Words{kMinInt, 0xf0000000}));
  EXPECT_EQ(ofWords("bfind.u32 %r2, %r1;", {0, 1, kMinInt}), (Words{0xffffffff, 0, 31}));
  EXPECT_EQ(ofWords("bfind.s32 %r2, %r1;", {0xffffffff, 0xfffffff0}), (Words{0xffffffff, 3}));
  EXPECT_EQ(ofWords("bfe.u32 %r2, %r1, 4, 8;", {0x00000abc}), (Words{0xab}));
  EXPECT_EQ(ofWords("bfe.s32 %r2, %r1, 4, 8;", {0x00000abc}), (Words{0xffffffab}));
  EXPECT_EQ(ofWords("bfe.u32 %r2, %r1, 40, 8;", {0xffffffff}), (Words{0}));
  EXPECT_EQ(ofWords("bfe.s32 %r2, %r1, 28, 8;", {0x80000000}), (Words{0xfffffff8}));
  EXPECT_EQ(ofWords("bfi.b32 %r2, %r1, 0x11111111, 8, 4;", {0xf}), (Words{0x11111f11}));
  EXPECT_EQ(ofWords("prmt.b32 %r2, %r1, 0x77665544, 0x4810;", {0x03020180}), (Words{0x44ff0180}));
}

TEST(Integer, SelectsByPredicate) {
  EXPECT_EQ(ofWords("setp.gt.s32 %p1, %r1, 0; selp.b32 %r2, 10, 20, %p1;", {1, 0, 0xffffffff}),
            (Words{10, 20, 20}));
  EXPECT_EQ(ofWords("setp.gt.u32 %p1, %r1, 0; selp.b32 %r2, 10, 20, %p1;", {1, 0, 0xffffffff}),
            (Words{10, 20, 10}));
  EXPECT_EQ(ofWords("setp.lo.u32 %p1|%p2, %r1, 2; not.pred %p3, %p2; and.pred %p4, %p1, %p3;"
                    "selp.b32 %r2, 1, 0, %p4;",
                    {1, 2}),
            (Words{1, 0}));
  EXPECT_EQ(ofWords("setp.eq.s32 %p1, %r1, 1; setp.lt.or.s32 %p2, %r1, 0, %p1;"
                    "selp.b32 %r2, 1, 0, %p2;",
                    {1, 2, 0xffffffff}),
            (Words{1, 0, 1}));
  EXPECT_EQ(ofWords("setp.eq.s32 %p1, %r1, 1; setp.lt.and.s32 %p2|%p1, %r1, 5, !%p1;"
                    "selp.b32 %r3, 1, 0, %p2; selp.b32 %r4, 2, 0, %p1; or.b32 %r2, %r3, %r4;",
                    {1, 2, 7}),
            (Words{0, 1, 2}));
}

TEST(Integer, VectorsPackAndUnpack) {
  EXPECT_EQ(evaluate<uint32_t>("u64", "%rd1", "mov.b64 {%r3, %r4}, %rd1; sub.s32 %r2, %r3, %r4;",
                               "u32", "%r2", Longs{0x0000000500000009ull}),
            (Words{4}));
  EXPECT_EQ(
      evaluate<uint64_t>("u32", "%r1", "mov.b64 %rd2, {%r1, %r31};", "u64", "%rd2", Words{7, 7}),
      (Longs{7, 0x100000007ull}));
  EXPECT_EQ(ofWords("mov.b32 {%h1, %h2}, %r1; mov.b32 %r2, {%h2, %h1};", {0x12345678}),
            (Words{0x56781234}));
}

}  // namespace integer_test
}  // namespace tilestep::simt
