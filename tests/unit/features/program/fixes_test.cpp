// SPDX-License-Identifier: Apache-2.0
#include "features/program/fixes.h"

#include <gtest/gtest.h>

#include "support/results.h"

namespace tilestep::features::fixes_test {

using lab::ProgramFinding;

ProgramFinding finding(const std::string& kind, uint32_t line, const std::string& kernel = {}) {
  ProgramFinding made;
  made.kind = kind;
  made.line = line;
  made.kernel = kernel;
  return made;
}

ProgramFinding race(uint32_t first, uint32_t second) {
  ProgramFinding made = finding("read-after-write", second, "k");
  made.otherLine = first;
  made.message = "no barrier between them: a __syncthreads() is missing";
  return made;
}

std::string textWith(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

TEST(CodeFix, BarrierPrecedesTheReadingStatement) {
  const auto fix =
      fixFor(race(4, 6), textWith({"__global__ void k(float* x) {", "  __shared__ float t[64];",
                                   "  int i = threadIdx.x;", "  t[i] = x[i];",
                                   "  for (int e = 0; e < 64; ++e)", "    x[i] += t[e];", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->line, 5U);
  EXPECT_EQ(fix->changes.back(), "+   __syncthreads();");
}

TEST(CodeFix, BarrierForTheNextIterationIsAtTheEndOfTheLoop) {
  const auto fix = fixFor(
      race(5, 3),
      textWith({"__global__ void k(float* x) {", "  for (int p = 0; p < 4; ++p) {",
                "    t[i] = x[p];", "    __syncthreads();", "    sum += t[63 - i];", "  }", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->line, 6U);
  EXPECT_EQ(fix->changes.back(), "+     __syncthreads();");
}

TEST(CodeFix, BarrierForTheNextRoundIsInTheLoopOutsideConditions) {
  const auto fix =
      fixFor(race(4, 4),
             textWith({"__global__ void k(float* x) {", "  for (int s = 64; s > 0; s /= 2) {",
                       "    if (t < s) {", "      sums[t] += sums[t + s];", "    }", "  }", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->line, 6U);
  EXPECT_EQ(fix->changes.back(), "+     __syncthreads();");
  EXPECT_FALSE(fixFor(
      race(2, 2), textWith({"__global__ void k(float* x) {", "  sums[t] += sums[t + 1];", "}"})));
}

TEST(CodeFix, BarrierForTheNextCallPrecedesTheWrite) {
  const auto fix = fixFor(race(6, 4), textWith({"__device__ float reduce(float v, float* red)", "{",
                                                "  int t = threadIdx.x;", "  red[t] = v;",
                                                "  __syncthreads();", "  return red[0];", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->line, 4U);
  EXPECT_EQ(fix->changes.back(), "+   __syncthreads();");
}

TEST(CodeFix, GuardUsesTheThreadsIndex) {
  const auto fix = fixFor(
      finding("out-of-bounds", 3, "add"),
      textWith({"__global__ void add(float* x, const float* y, int n) {",
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;", "  x[i] += y[i];", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(), "+   if (i < n) x[i] += y[i];");
}

TEST(CodeFix, GuardOfAMatrixHasRowsAndColumns) {
  const auto fix = fixFor(finding("out-of-bounds", 4, "fill"),
                          textWith({"__global__ void fill(float* x, int height, int width) {",
                                    "  int row = blockIdx.y * blockDim.y + threadIdx.y;",
                                    "  int column = blockIdx.x * blockDim.x + threadIdx.x;",
                                    "  x[row * width + column] = 1;", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(),
            "+   if (row < height && column < width) x[row * width + column] = 1;");
}

TEST(CodeFix, DeclarationIsNotGuarded) {
  EXPECT_FALSE(fixFor(
      finding("out-of-bounds", 3, "add"),
      textWith({"__global__ void add(float* x, int n) {",
                "  int i = blockIdx.x * blockDim.x + threadIdx.x;", "  float old = x[i];", "}"})));
}

TEST(CodeFix, UninitialisedVariableBeginsAtZero) {
  const auto fix =
      fixFor(finding("uninitialised-read", 3, "k"),
             textWith({"__global__ void k(float* x) {", "  float sum;",
                       "  for (int i = 0; i < 4; ++i) sum += x[i];", "  x[0] = sum;", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(), "+   float sum = 0;");
}

TEST(CodeFix, GridIsRoundedUpWhereItIsDefined) {
  const auto fix = fixFor(finding("grid-too-small", 3),
                          textWith({"int main() {", "  int threads = 256, blocks = n / threads;",
                                    "  add<<<blocks, threads>>>(x, n);", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(), "+   int threads = 256, blocks = (n + threads - 1) / threads;");
}

TEST(CodeFix, RemarkAboutATooSmallGridHasAChange) {
  ProgramFinding remark = finding("grid-too-small", 3);
  remark.isFault = false;
  const auto fix = fixFor(remark, textWith({"int main() {", "  int blocks = ceil(n / threads);",
                                            "  add<<<blocks, threads>>>(x, n);", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(), "+   int blocks = ceil((n + threads - 1) / threads);");
  remark.kind = "coalescing";
  EXPECT_FALSE(fixFor(remark, "int main() {}\n"));
}

TEST(CodeFix, CopyOfElementsBecomesACopyOfBytes) {
  const auto fix = fixFor(
      finding("wrong-size", 2),
      textWith({"int main() {", "  cudaMemcpy(d_x, h, n + 1, cudaMemcpyHostToDevice);", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.back(),
            "+   cudaMemcpy(d_x, h, (n + 1) * sizeof(*d_x), cudaMemcpyHostToDevice);");
}

TEST(CodeFix, LaunchGetsAnErrorCheck) {
  const auto fix =
      fixFor(finding("unchecked-error", 3),
             textWith({"#include <cstdio>", "int main() {", "  add<<<1, 2000>>>(x);", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes.size(), 4U);
  EXPECT_EQ(fix->changes[2], "+     return 1;");
  EXPECT_TRUE(has(fix->text, "(x);\n  if (cudaError_t error = cudaGetLastError()"));
}

TEST(CodeFix, MoreSharedMemoryIsAllowedBeforeTheLaunch) {
  ProgramFinding refused = finding("launch-failed", 2, "k");
  refused.message = "more than 49152 needs cudaFuncSetAttribute(k, …) before the launch";
  const auto fix = fixFor(
      refused, textWith({"int main() {", "  k<16><<<4, 256, rows * sizeof(float)>>>(d, 4);", "}"}));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->changes,
            std::vector<std::string>{
                "+   cudaFuncSetAttribute(k<16>, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, rows * sizeof(float));"});
  EXPECT_FALSE(fixFor(refused, textWith({"int main() {", "  k<<<4, 256>>>(d, 4);", "}"})));
  EXPECT_FALSE(fixFor(refused, textWith({"int main() {", "  <<<4, 256, 9>>>", "}"})));
}

TEST(CodeFix, IsNotOfferedIfThePositionIsAmbiguous) {
  for (const char* kind : {"out-of-bounds", "grid-too-small", "unchecked-error", "wrong-size"})
    for (const uint32_t line : {0U, 1U, 7U, 4000000000U})
      for (const char* text : {"", "}", "__global__ void", "<<<", "k<<<1"})
        EXPECT_FALSE(fixFor(finding(kind, line, "k"), text).has_value() &&
                     std::string_view(kind) != "unchecked-error")
            << kind << line << text;
  EXPECT_FALSE(fixFor(race(9, 3), "x"));
  ProgramFinding remark = race(4, 6);
  remark.isFault = false;
  EXPECT_FALSE(fixFor(remark, "a;\nb;\n"));
}

}  // namespace tilestep::features::fixes_test
