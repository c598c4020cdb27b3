// SPDX-License-Identifier: Apache-2.0
#include "compile/text/text_constants.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/results.h"

namespace tilestep::compile::text_constants_test {

std::vector<std::string> namesIn(std::string_view source) {
  std::vector<std::string> names;
  for (const TextConstant& each : textConstants(source)) names.push_back(each.name);
  return names;
}
using Names = std::vector<std::string>;

constexpr std::string_view kTiled = R"(#define TILE 16
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define UNUSED 7
__global__ void mul(float* c, int w) { __shared__ float a[TILE][TILE]; }
int main() {
  const int n = 1000, seed = 5;
  int m = 1 << 10;
  int blocks = (n + TILE - 1) / TILE;
  float* d;
  cudaMalloc(&d, n * m * sizeof(float));
  for (int i = 1; i < 4; ++i) mul<<<dim3(blocks, blocks), dim3(TILE, TILE)>>>(d, n);
}
)";

TEST(TextConstants, AreConstantsThatAffectLaunchesAndCanBeReplaced) {
  EXPECT_EQ(namesIn(kTiled), (Names{"TILE", "n", "m"}));
  const std::vector<TextConstant> found = textConstants(kTiled);
  EXPECT_EQ(found[0].value, 16);
  EXPECT_EQ(found[0].line, 1U);
  EXPECT_EQ(found[2].value, 1024);
  EXPECT_EQ(found[2].line, 7U);
  EXPECT_TRUE(withValue(kTiled, found[0], 32).starts_with("#define TILE 32\n"));
  EXPECT_TRUE(has(withValue(kTiled, found[2], 512), "int m = 512;"));
  EXPECT_TRUE(has(withValue(kTiled, found[1], 999), "const int n = 999, seed"));
}

TEST(TextConstants, OfferPowersOfTwoForBlocksAndNearValuesForSizes) {
  const std::vector<TextConstant> found = textConstants(kTiled);
  EXPECT_EQ(found[0].values.front(), 1);
  EXPECT_EQ(found[0].values.back(), 1024);
  for (const int64_t value : {999, 1000, 1001, 2000})
    EXPECT_TRUE(std::ranges::count(
        textConstants("int main() { int n = 1000; cudaMalloc(&d, n); }").front().values, value))
        << value;
}

TEST(TextConstants, TemplateArgumentsChangeInAllLaunchesOfTheKernel) {
  constexpr std::string_view kSource =
      "template <typename T, int RADIUS = 1>\n"
      "__global__ void __launch_bounds__(256) blur(T* x) {}\n"
      "int main() { blur<float, 3><<<1, 64>>>(x); blur<float, 3><<<2, 64>>>(x); }\n";
  const std::vector<TextConstant> found = textConstants(kSource);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].name, "blur<RADIUS>");
  EXPECT_EQ(found[0].places.size(), 2U);
  const std::string changed = withValue(kSource, found[0], 12);
  EXPECT_TRUE(has(changed, "blur<float, 12><<<1"));
  EXPECT_TRUE(has(changed, "blur<float, 12><<<2"));
}

TEST(TextConstants, NeedOneConstantNumber) {
  EXPECT_TRUE(namesIn("int main() { int n = 9; n = atoi(a); cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(namesIn("int main() { for (int n = 1; n < 9; n *= 2) cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(namesIn("int main() { int n = 9; ++n; cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(
      namesIn("void f() { int n = 4; } int main() { int n = 9; cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(namesIn("#ifdef A\n#define N 4\n#else\n#define N 8\n#endif\n"
                      "int main() { cudaMalloc(&d, N); }")
                  .empty());
  EXPECT_FALSE(namesIn("int main() { int n = 9; if (n == 9) cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(namesIn("int main() { int n = argc; cudaMalloc(&d, n); }").empty());
  EXPECT_TRUE(namesIn("int main() { float n = 3; int z = 0; cudaMalloc(&d, n * z); }").empty());
  EXPECT_TRUE(namesIn("<<< >>> template < __shared__ #define dim3(").empty());
  EXPECT_TRUE(namesIn("").empty());
}

}  // namespace tilestep::compile::text_constants_test
