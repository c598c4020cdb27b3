// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "machine.h"

namespace tilestep::simt {
namespace convert_test {

using Words = std::vector<uint32_t>;
using Longs = std::vector<uint64_t>;
using Floats = std::vector<float>;
using Doubles = std::vector<double>;

Words floatsToWords(const std::string& conversion, const Floats& in) {
  return evaluate<uint32_t>("f32", "%f1", conversion + " %r2, %f1;", "u32", "%r2", in);
}

TEST(Convert, IntegersExtendAndTruncate) {
  EXPECT_EQ(
      evaluate<uint64_t>("u32", "%r1", "cvt.s64.s32 %rd2, %r1;", "u64", "%rd2", Words{0xffffffff}),
      (Longs{~0ull}));
  EXPECT_EQ(
      evaluate<uint64_t>("u32", "%r1", "cvt.u64.u32 %rd2, %r1;", "u64", "%rd2", Words{0xffffffff}),
      (Longs{0xffffffff}));
  EXPECT_EQ(evaluate<uint32_t>("u64", "%rd1", "cvt.u32.u64 %r2, %rd1;", "u32", "%r2",
                               Longs{0x1122334455667788}),
            (Words{0x55667788}));
  EXPECT_EQ(ofWords("cvt.s32.s8 %r2, %r1;", {0x80, 0x17f}), (Words{0xffffff80, 0x7f}));
  EXPECT_EQ(ofWords("cvt.u32.u8 %r2, %r1;", {0x180}), (Words{0x80}));
  EXPECT_EQ(ofWords("cvt.u16.u32 %h1, %r1; cvt.s32.s16 %r2, %h1;", {0x18000}), (Words{0xffff8000}));
  EXPECT_EQ(evaluate<uint64_t>("u32", "%r1", "cvt.s8.s32 %rd2, %r1;", "u64", "%rd2", Words{0x80}),
            (Longs{~0ull - 127}));
}

TEST(Convert, IntegersSaturate) {
  EXPECT_EQ(ofWords("cvt.sat.u8.s32 %r2, %r1;", {300, 0xffffffff, 7}), (Words{255, 0, 7}));
  EXPECT_EQ(ofWords("cvt.sat.s8.s32 %r2, %r1;", {300, 0xffffff00}), (Words{127, 0xffffff80}));
  EXPECT_EQ(ofWords("cvt.sat.s32.u32 %r2, %r1;", {0xffffffff}), (Words{0x7fffffff}));
}

TEST(Convert, FloatsToIntegersSaturateAndRound) {
  const float nan = std::nanf("");
  EXPECT_EQ(floatsToWords("cvt.rzi.s32.f32", {1.9F, -1.9F, 3e9F, -3e9F, nan, INFINITY}),
            (Words{1, 0xffffffff, 0x7fffffff, 0x80000000, 0, 0x7fffffff}));
  EXPECT_EQ(floatsToWords("cvt.rzi.u32.f32", {-1.0F, 5e9F, 3e9F, nan}),
            (Words{0, 0xffffffff, 3000000000u, 0}));
  EXPECT_EQ(floatsToWords("cvt.rni.s32.f32", {0.5F, 1.5F, 2.5F, -0.5F}), (Words{0, 2, 2, 0}));
  EXPECT_EQ(floatsToWords("cvt.rmi.s32.f32", {-0.5F, 0.5F}), (Words{0xffffffff, 0}));
  EXPECT_EQ(floatsToWords("cvt.rpi.s32.f32", {-0.5F, 0.5F}), (Words{0, 1}));
  EXPECT_EQ(floatsToWords("cvt.rzi.u8.f32", {300.0F, -3.0F, 7.7F}), (Words{255, 0, 7}));
}

TEST(Convert, NaNTo64BitsOrFromDoubleIsTheSignBit) {
  EXPECT_EQ(evaluate<uint64_t>("f32", "%f1", "cvt.rzi.s64.f32 %rd2, %f1;", "u64", "%rd2",
                               Floats{std::nanf(""), -2.5F, 1e30F}),
            (Longs{1ull << 63, ~0ull - 1, ~0ull >> 1}));
  EXPECT_EQ(evaluate<uint32_t>("f64", "%fd1", "cvt.rzi.s32.f64 %r2, %fd1;", "u32", "%r2",
                               Doubles{std::nan(""), 2.5, -1e10}),
            (Words{0x80000000, 2, 0x80000000}));
}

TEST(Convert, IntegersToFloats) {
  EXPECT_EQ(evaluate<float>("u32", "%r1", "cvt.rn.f32.s32 %f2, %r1;", "f32", "%f2",
                            Words{0xffffffff, 16777217}),
            (Floats{-1.0F, 16777216.0F}));
  EXPECT_EQ(
      evaluate<float>("u32", "%r1", "cvt.rn.f32.u32 %f2, %r1;", "f32", "%f2", Words{0xffffffff}),
      (Floats{4294967296.0F}));
  EXPECT_EQ(evaluate<float>("u32", "%r1", "cvt.rz.f32.u32 %f2, %r1;", "f32", "%f2",
                            Words{0xffffffff, 16777219}),
            (Floats{4294967040.0F, 16777218.0F}));
  EXPECT_EQ(
      evaluate<double>("u64", "%rd1", "cvt.rn.f64.u64 %fd2, %rd1;", "f64", "%fd2", Longs{~0ull}),
      (Doubles{0x1p64}));
}

TEST(Convert, BetweenFloats) {
  const double third = 1.0 / 3.0;
  const auto nearest = static_cast<float>(third);
  EXPECT_EQ(
      evaluate<float>("f64", "%fd1", "cvt.rn.f32.f64 %f2, %fd1;", "f32", "%f2", Doubles{third}),
      (Floats{nearest}));
  EXPECT_EQ(evaluate<float>("f64", "%fd1", "cvt.rz.f32.f64 %f2, %fd1;", "f32", "%f2",
                            Doubles{third, 1e300}),
            (Floats{std::nextafter(nearest, 0.0F), 3.40282346e38F}));
  EXPECT_EQ(evaluate<double>("f32", "%f1", "cvt.f64.f32 %fd2, %f1;", "f64", "%fd2", Floats{0.1F}),
            (Doubles{double{0.1F}}));
  EXPECT_EQ(ofFloats("cvt.rni.f32.f32 %f2, %f1;", {2.5F, -0.2F}), (Floats{2.0F, -0.0F}));
  EXPECT_EQ(ofFloats("cvt.rmi.f32.f32 %f2, %f1;", {2.5F, -0.2F}), (Floats{2.0F, -1.0F}));
  EXPECT_EQ(ofFloatBits("cvt.sat.f32.f32 %f2, %f1;", {0x7fc00000, 0x40000000}),
            (Words{0, 0x3f800000}));
}

TEST(Convert, NarrowLoadsExtendToTheRegister) {
  EXPECT_EQ(evaluate<uint32_t>("s8", "%r1", "mov.u32 %r2, %r1;", "u32", "%r2",
                               std::vector<uint8_t>{0x80}),
            (Words{0xffffff80}));
  EXPECT_EQ(evaluate<uint64_t>("s16", "%rd1", "mov.u64 %rd2, %rd1;", "u64", "%rd2",
                               std::vector<uint16_t>{0x8000}),
            (Longs{0xffffffffffff8000ull}));
  EXPECT_EQ(
      evaluate<uint64_t>("u32", "%rd1", "mov.u64 %rd2, %rd1;", "u64", "%rd2", Words{0xffffffff}),
      (Longs{0xffffffffull}));
  EXPECT_EQ(evaluate<uint16_t>("u32", "%r1", "", "u16", "%r1", Words{0x12345678}),
            (std::vector<uint16_t>{0x5678}));
  EXPECT_EQ(evaluate<uint8_t>("u64", "%rd1", "", "u8", "%rd1", Longs{0x1122334455667788}),
            (std::vector<uint8_t>{0x88}));
}

}  // namespace convert_test
}  // namespace tilestep::simt
