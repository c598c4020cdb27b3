// SPDX-License-Identifier: Apache-2.0
// Which compile errors may come from a library that is not here.
#include "compile/host/library_uses.h"

#include <gtest/gtest.h>

namespace tilestep::compile {
namespace library_uses_test {

const std::string kSource =
    "#include <vector>\n"
    "constexpr float kMost = std::numeric_limits<float>::max();\n"
    "float helper(float x) { return x; }\n"
    "__global__ void f(float* p) { p[0] = helper(kMost) + p[1]; }\n";

bool isLack(const std::string& message, const std::string& sourceLine = "p[0] = 1;",
            const std::string& file = "f.cu") {
  Error error = requestError(message);
  error.where = TextLocation{file, 4, 0};
  error.sourceLine = sourceLine;
  return isLackOfLibrary(error, kSource, "f.cu");
}

TEST(LibraryUses, AreFoundInTheErrorItsLineAndWhatWasLeftOut) {
  EXPECT_TRUE(isLack("a template of a header", "", "/usr/local/cuda/include/cub/cub.cuh"));
  EXPECT_TRUE(isLack("cannot open source file \"limits\""));
  EXPECT_TRUE(
      isLack("unknown type name '__grid_constant__'. Tilestep's own headers for clang do not "
             "have all of CUDA's names"));
  EXPECT_TRUE(isLack("namespace \"std\" has no member \"clamp\""));
  EXPECT_TRUE(isLack("expected an expression", "p[0] = thrust::plus<float>()(p[0], 1);"));
  EXPECT_TRUE(isLack("identifier \"kMost\" is undefined"));
}

TEST(LibraryUses, AreNotFoundInMistakesOfTheFile) {
  EXPECT_FALSE(isLack("identifier \"helper\" is undefined"));  // It lacks __device__.
  EXPECT_FALSE(isLack("identifier \"p0\" is undefined"));
  EXPECT_FALSE(isLack("expected a \";\""));
  EXPECT_FALSE(isLack("'selp' takes 4 operands, not 3", "", "f.cu (PTX)"));
  EXPECT_FALSE(isLackOfLibrary(requestError("no place"), kSource, "f.cu"));
}

/// As NVRTC says it of `const float PI = acos(-1.0);`.
TEST(HostsVariable, IsOneThatNoWordMarksAsTheDevices) {
  Error error = requestError("dynamic initialization is not supported for a __device__ variable");
  error.sourceLine = "const float PI = acos(-1.0);";
  EXPECT_TRUE(isHostsVariable(error));
  error.sourceLine = "__device__ float pi = acos(-1.0);";
  EXPECT_FALSE(isHostsVariable(error));
  error.sourceLine = "const float PI = acos(-1.0);";
  error.message = "identifier \"acos\" is undefined";
  EXPECT_FALSE(isHostsVariable(error));
}

}  // namespace library_uses_test
}  // namespace tilestep::compile
