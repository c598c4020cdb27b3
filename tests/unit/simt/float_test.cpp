// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "machine.h"

namespace tilestep::simt {
namespace float_test {

using Floats = std::vector<float>;
using Words = std::vector<uint32_t>;

constexpr uint32_t kNaN = 0x7fc00000, kCanonicalNaN = 0x7fffffff, kInf = 0x7f800000;
constexpr uint32_t kMinusZero = 0x80000000, kOne = 0x3f800000;

TEST(Float, FusedMultiplyAddRoundsOnce) {
  // (1 + 2^-12)^2 - 1 - 2^-11 is 2^-24 exactly; rounded in between it is 0.
  EXPECT_EQ(ofFloats("fma.rn.f32 %f2, %f1, %f1, 0fBF801000;", {1.0F + 0x1p-12F}),
            (Floats{0x1p-24F}));
  EXPECT_EQ(
      ofFloats("mul.rn.f32 %f3, %f1, %f1; add.rn.f32 %f2, %f3, 0fBF801000;", {1.0F + 0x1p-12F}),
      (Floats{0.0F}));
}

TEST(Float, ExactDivisionRootsAndReciprocals) {
  EXPECT_EQ(ofFloats("div.rn.f32 %f2, %f1, 0f40400000;", {1.0F}), (Floats{1.0F / 3.0F}));
  EXPECT_EQ(ofFloats("sqrt.rn.f32 %f2, %f1;", {2.0F}), (Floats{std::sqrt(2.0F)}));
  EXPECT_EQ(ofFloats("rcp.rn.f32 %f2, %f1;", {3.0F}), (Floats{1.0F / 3.0F}));
  EXPECT_EQ(ofFloats("rsqrt.approx.f32 %f2, %f1;", {4.0F}), (Floats{0.5F}));
  EXPECT_EQ(ofFloats("ex2.approx.f32 %f2, %f1;", {3.0F}), (Floats{8.0F}));
  EXPECT_EQ(ofFloats("lg2.approx.f32 %f2, %f1;", {8.0F}), (Floats{3.0F}));
  EXPECT_EQ(ofFloatBits("sqrt.rn.f32 %f2, %f1;", {0xbf800000}), (Words{kCanonicalNaN}));
}

TEST(Float, NaNIsCanonical) {
  EXPECT_EQ(ofFloatBits("add.f32 %f2, %f1, 0fFF800000;", {kInf, 0xffc12345}),
            (Words{kCanonicalNaN, kCanonicalNaN}));
  EXPECT_EQ(ofFloatBits("fma.rn.f32 %f2, %f1, 0f00000000, 0f00000000;", {kInf}),
            (Words{kCanonicalNaN}));
}

TEST(Float, MinAndMaxDropNaN) {
  EXPECT_EQ(ofFloatBits("min.f32 %f2, %f1, 0f3F800000;", {kNaN, 0x40000000, 0}),
            (Words{kOne, kOne, 0}));
  EXPECT_EQ(ofFloatBits("max.f32 %f2, 0f3F800000, %f1;", {kNaN, 0x40000000, 0}),
            (Words{kOne, 0x40000000, kOne}));
  EXPECT_EQ(ofFloatBits("min.f32 %f2, %f1, 0f00000000;", {kMinusZero}), (Words{kMinusZero}));
  EXPECT_EQ(ofFloatBits("max.f32 %f2, 0f00000000, %f1;", {kMinusZero}), (Words{0}));
  EXPECT_EQ(ofFloatBits("min.f32 %f2, %f1, %f1;", {kNaN}), (Words{kCanonicalNaN}));
}

TEST(Float, SignsAndSaturation) {
  EXPECT_EQ(ofFloatBits("neg.f32 %f2, %f1;", {0}), (Words{kMinusZero}));
  EXPECT_EQ(ofFloatBits("abs.f32 %f2, %f1;", {kMinusZero}), (Words{0}));
  EXPECT_EQ(ofFloats("copysign.f32 %f2, 0fBF800000, %f1;", {3.0F}), (Floats{-3.0F}));
  EXPECT_EQ(ofFloatBits("add.sat.f32 %f2, %f1, 0f00000000;", {kNaN, 0x40000000, 0xbf800000}),
            (Words{0, kOne, 0}));
}

TEST(Float, FlushesSubnormalsWhenAsked) {
  EXPECT_EQ(ofFloatBits("add.ftz.f32 %f2, %f1, 0f00000000;", {0x00000001, 0x00800000}),
            (Words{0, 0x00800000}));
  EXPECT_EQ(ofFloatBits("mul.ftz.f32 %f2, %f1, 0f3F000000;", {0x80800000}), (Words{kMinusZero}));
  EXPECT_EQ(ofFloatBits("add.f32 %f2, %f1, 0f00000000;", {0x00000001}), (Words{1}));
}

TEST(Float, RoundsInEveryDirection) {
  const Floats in{1.0F, -1.0F};
  const float above = std::nextafter(1.0F, 2.0F), below = std::nextafter(1.0F, 0.0F);
  EXPECT_EQ(ofFloats("add.rp.f32 %f2, %f1, 0f30000000;", in), (Floats{above, -below}));
  EXPECT_EQ(ofFloats("add.rm.f32 %f2, %f1, 0f30000000;", in), (Floats{1.0F, -1.0F}));
  EXPECT_EQ(ofFloats("add.rz.f32 %f2, %f1, 0f30000000;", in), (Floats{1.0F, -below}));
  EXPECT_EQ(ofFloats("sub.rz.f32 %f2, %f1, 0f30000000;", in), (Floats{below, -1.0F}));
  EXPECT_EQ(ofFloatBits("mul.rz.f32 %f2, %f1, 0f7F000000;", {0x7f000000}), (Words{0x7f7fffff}));
  EXPECT_EQ(ofFloatBits("fma.rm.f32 %f2, %f1, 0f3F800000, 0fBF800000;", {kOne}),
            (Words{kMinusZero}));
  EXPECT_EQ(ofFloatBits("fma.rp.f32 %f2, %f1, %f1, 0f00000001;", {kOne}), (Words{0x3f800001}));
}

TEST(Float, Doubles) {
  EXPECT_EQ(evaluate<double>("f64", "%fd1", "fma.rn.f64 %fd2, %fd1, %fd1, 0dBFF0000002000000;",
                             "f64", "%fd2", std::vector<double>{1.0 + 0x1p-28}),
            (std::vector<double>{0x1p-56}));
  EXPECT_EQ(evaluate<double>("f64", "%fd1", "div.rn.f64 %fd2, %fd1, 0d4008000000000000;", "f64",
                             "%fd2", std::vector<double>{1.0}),
            (std::vector<double>{1.0 / 3.0}));
}

uint32_t compared(const std::string& relation, uint32_t a, uint32_t b) {
  return ofWords("mov.b32 %f1, %r1; mov.b32 %f2, " + std::to_string(b) + "; setp." + relation +
                     ".f32 %p1, %f1, %f2; selp.b32 %r2, 1, 0, %p1;",
                 {a})[0];
}

TEST(Float, ComparisonsKnowNaN) {
  for (const char* ordered : {"eq", "ne", "lt", "le", "gt", "ge", "num"}) {
    EXPECT_EQ(compared(ordered, kNaN, kOne), 0u) << ordered;
    EXPECT_EQ(compared(ordered, kOne, kNaN), 0u) << ordered;
  }
  for (const char* unordered : {"equ", "neu", "ltu", "leu", "gtu", "geu", "nan"}) {
    EXPECT_EQ(compared(unordered, kNaN, kOne), 1u) << unordered;
  }
  EXPECT_EQ(compared("neu", kOne, kOne), 0u);
  EXPECT_EQ(compared("ne", kOne, 0), 1u);
  EXPECT_EQ(compared("eq", 0, kMinusZero), 1u);
  EXPECT_EQ(compared("ltu", kOne, 0), 0u);
  EXPECT_EQ(compared("num", kOne, 0), 1u);
  EXPECT_EQ(compared("nan", kOne, 0), 0u);
}

}  // namespace float_test
}  // namespace tilestep::simt
