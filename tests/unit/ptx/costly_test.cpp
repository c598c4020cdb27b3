// SPDX-License-Identifier: Apache-2.0
#include "ptx/analysis/costly.h"

#include <gtest/gtest.h>

#include "ptx/source_file.h"
#include "support.h"

namespace tilestep::ptx::costly_test {

Module kernelWith(const std::string& instruction) {
  return parsed(R"(
.func f()
{
	ret;
}
.visible .entry k()
{
	.reg .b32 %r<4>;
	.reg .f32 %f<4>;
	.reg .f64 %fd<4>;
	.reg .b64 %rd<4>;
	.loc 2 7 0
	)" + instruction +
                R"(
	ret;
}
	.file	1 "hw1.cu"
	.file	2 "sums.cuh"
)");
}

bool isCostly(const std::string& instruction) {
  return hasCostlyWork(kernelWith(instruction).functions.back());
}

TEST(CostlyWork, IsWorkThatF32CountsOmit) {
  for (const char* each : {"sqrt.rn.f32 %f1, %f2;", "div.rn.f32 %f1, %f2, %f3;",
                           "ex2.approx.f32 %f1, %f2;", "add.rn.f64 %fd1, %fd2, %fd3;",
                           "ld.local.u32 %r1, [%rd1];", "st.local.f32 [%rd1], %f1;", "call f;"})
    EXPECT_TRUE(isCostly(each)) << each;
  for (const char* each : {"fma.rn.f32 %f1, %f2, %f3, %f1;", "div.u32 %r1, %r2, %r3;",
                           "ld.global.f32 %f1, [%rd1];", "mov.f64 %fd1, %fd2;"})
    EXPECT_FALSE(isCostly(each)) << each;
}

TEST(SourceFile, IsTheFileOfTheKernelsLines) {
  const Module module = kernelWith("mov.u32 %r1, 1;");
  EXPECT_EQ(sourceFileOf(module, module.functions.back()), "sums.cuh");
  EXPECT_EQ(sourceFileOf(module, Function()), "");
}

}  // namespace tilestep::ptx::costly_test
