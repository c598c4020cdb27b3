// SPDX-License-Identifier: Apache-2.0
#include "ptx/normalize.h"

#include <gtest/gtest.h>

#include "ptx/printer.h"
#include "unit/ptx/support.h"

namespace tilestep::ptx {
namespace {

std::string normalized(std::string_view statement) {
  const Module module = withExplicitRounding(parsed(kernelText(statement)));
  const Function& function = module.functions.front();
  const Instruction& first = function.body.front();
  EXPECT_EQ(first.rounding == Rounding::rn, first.has("rn"));
  return print(first, function);
}

TEST(Normalize, PlainFloatArithmeticRoundsToNearest) {
  EXPECT_EQ(normalized("add.f32 %f1, %f2, %f3;"), "add.rn.f32 %f1, %f2, %f3;");
  EXPECT_EQ(normalized("sub.ftz.sat.f32 %f1, %f2, %f3;"), "sub.rn.ftz.sat.f32 %f1, %f2, %f3;");
  EXPECT_EQ(normalized("mul.f64 %fd1, %fd2, %fd3;"), "mul.rn.f64 %fd1, %fd2, %fd3;");
}

TEST(Normalize, EverythingElseStays) {
  for (const std::string_view text :
       {"add.rz.f32 %f1, %f2, %f3;", "mul.rn.f32 %f1, %f2, %f3;", "add.s32 %r1, %r2, %r3;",
        "mul.wide.s32 %rd1, %r1, 4;", "fma.rn.f32 %f1, %f2, %f3, %f4;",
        "div.rn.f32 %f1, %f2, %f3;"}) {
    EXPECT_EQ(normalized(text), text);
  }
}

}  // namespace
}  // namespace tilestep::ptx
