// SPDX-License-Identifier: Apache-2.0
#include "compile/text/host_part.h"

#include <gtest/gtest.h>

namespace tilestep::compile::host_part_test {

constexpr std::string_view kText =
    "__global__ void add(float* x) { if (x) { x[0] = 1; } }\n"
    "int main() { add<<<1, 1>>>(0); }\n";

std::string with(std::string_view from, std::string_view to) {
  std::string text(kText);
  return text.replace(text.find(from), from.size(), to);
}

TEST(HostPart, ChangesWithLaunchesAndHeadsButNotWithDeviceCode) {
  EXPECT_EQ(hostPart(with("x[0] = 1", "x[0] = 2")), hostPart(kText));
  EXPECT_EQ(hostPart(with("int main", "// a comment\nint  main")), hostPart(kText));
  EXPECT_NE(hostPart(with("<<<1, 1", "<<<1, 2")), hostPart(kText));
  EXPECT_NE(hostPart(with("float* x", "float* y")), hostPart(kText));
  EXPECT_EQ(hostPart(""), "");
  EXPECT_NE(hostPart("__device__ {{{"), "");
}

TEST(HostPart, IncludesHostDeviceFunctionsAndTextAfterUnmatchedBraces) {
  const std::string both = "__host__ __device__ int f() { return 1; } int main() {}";
  EXPECT_NE(hostPart(both), hostPart("__host__ __device__ int f() { return 2; } int main() {}"));
  const std::string open = "#if A\n__global__ void k() {\n#else\n__global__ void l() {\n#endif\n}";
  EXPECT_NE(hostPart(open + "int main() { f(); }"), hostPart(open + "int main() { g(); }"));
}

}  // namespace tilestep::compile::host_part_test
