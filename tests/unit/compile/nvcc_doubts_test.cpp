// SPDX-License-Identifier: Apache-2.0
// Which compile errors may be no mistakes for nvcc.
#include "compile/host/nvcc_doubts.h"

#include <gtest/gtest.h>

#include "compile/text/conditions.h"

namespace tilestep::compile {
namespace nvcc_doubts_test {

const std::string kProgram =
    "#include <vector>\n"
    "constexpr float kMost = std::numeric_limits<float>::max();\n"
    "float helper(float x) { return x; }\n"
    "__global__ void f(float* p, int row) { p[0] = helper(kMost) + p[1]; }\n"
    "__host__ __device__ int both() { return 1; }\n"
    "struct Pool { int a; };\n"
    "int main() {}\n";
const std::string kKernel = "__global__ void f(float* p) {\n  p[0] = 1;\n}\n";

std::string why(const std::string& source, int line, const std::string& message,
                const std::string& sourceLine = "p[0] = 1;", const std::string& file = "f.cu") {
  Error error = requestError(message);
  error.where = TextLocation{file, line, 0};
  error.sourceLine = sourceLine;
  return whyNvccMayTake(error, source, "f.cu");
}

TEST(NvccDoubts, LibrariesAreFoundInTheErrorItsLineAndWhatWasLeftOut) {
  const auto isLack = [](const std::string& message, const std::string& line = "p[0] = 1;",
                         const std::string& file = "f.cu") {
    return why(kProgram, 4, message, line, file).starts_with("It uses a library");
  };
  EXPECT_TRUE(isLack("a template of a header", "", "/usr/local/cuda/include/cub/cub.cuh"));
  EXPECT_TRUE(isLack("cannot open source file \"limits\""));
  EXPECT_TRUE(
      isLack("unknown type name '__grid_constant__'. Tilestep's own headers for clang do not "
             "have all of CUDA's names"));
  EXPECT_TRUE(isLack("namespace \"std\" has no member \"clamp\""));
  EXPECT_TRUE(isLack("expected an expression", "p[0] = thrust::plus<float>()(p[0], 1);"));
  EXPECT_TRUE(isLack("identifier \"kMost\" is undefined"));
}

TEST(NvccDoubts, MistakesOfDeviceFunctionsAreTheTexts) {
  for (const std::string& source : {kProgram, kKernel}) {
    const int line = source == kProgram ? 4 : 2;
    EXPECT_EQ(why(source, line, "expected a \";\""), "");
    EXPECT_EQ(why(source, line, "'selp' takes 4 operands, not 3", "", "f.cu (PTX)"), "");
    EXPECT_EQ(why(source, line, "identifier \"thradIdx\" is undefined", "int i = thradIdx.x;"), "");
    EXPECT_EQ(why(source, line, "identifier \"sum\" is undefined", "p[0] = sum;"), "");
  }
  EXPECT_EQ(why(kProgram, 4, "identifier \"helper\" is undefined", "helper(1);"), "")
      << "it lacks __device__";
  EXPECT_EQ(why(kProgram, 4, "identifier \"Row\" is undefined", "p[Row] = 1;"), "");
  EXPECT_EQ(whyNvccMayTake(requestError("no place"), kProgram, "f.cu"), "");
}

/// Its headers and its host code are left out.
TEST(NvccDoubts, WhatAProgramMayHaveFromElsewhereIsInDoubt) {
  for (const char* message :
       {"identifier \"RAND_MAX\" is undefined", "use of undeclared identifier 'INT_MAX'",
        "unknown type name 'clock_t'", "identifier \"CEIL_DIV\" is undefined"})
    EXPECT_NE(why(kProgram, 4, message), "") << message;
  EXPECT_NE(why(kProgram, 4, "identifier \"exotic\" is undefined", "exotic(1);"), "");
  EXPECT_NE(why(kProgram, 6, "expected a declaration"), "") << "outside of device functions";
  EXPECT_NE(why(kProgram, 5, "identifier \"x\" is undefined", "return x;"), "")
      << "the host's, too";
  EXPECT_NE(why("#include \"own.h\"\n" + kProgram, 5, "identifier \"x\" is undefined"), "");
  EXPECT_NE(why(kProgram, 4, "identifier \"cpu\" is undefined", "decltype(cpu(1)) q;"), "");
  EXPECT_NE(why("float hosts[4];\n" + kKernel, 1, "identifier \"hosts\" is undefined"), "");
  // nvcc includes <stdlib.h> by itself.
  EXPECT_NE(why(kKernel, 2, "identifier \"RAND_MAX\" is undefined"), "");
}

TEST(NvccDoubts, TheDialectOfGppIsInDoubt) {
  EXPECT_NE(why(kKernel, 2, "\"auto\" is not allowed here"), "");
  EXPECT_NE(why("#define MAX(a, b) ({ typeof(a) _a = (a); _a; })\n" + kKernel, 3,
                "expected an expression"),
            "");
}

/// `a) … b)` in a branch that is switched off, or one head of a function for each branch.
TEST(NvccDoubts, BracketsThatConditionsPartAreInDoubtAndOthersAreWrong) {
  const std::string broken = "#include <vector>\nint main() {}\n__global__ void f() {\n";
  EXPECT_EQ(why(broken, 3, "expected a \"}\""), "");
  EXPECT_NE(why("#if 0\na) b)\n#endif\n" + broken, 6, "expected a \"}\""), "");
}

/// As NVRTC says it of `const float PI = acos(-1.0);`.
TEST(NvccDoubts, AVariableOfTheHostIsOneThatNoWordMarksAsTheDevices) {
  const char* const message = "dynamic initialization is not supported for a __device__ variable";
  EXPECT_NE(why(kKernel, 2, message, "const float PI = acos(-1.0);"), "");
  EXPECT_EQ(why(kKernel, 2, message, "__device__ float pi = acos(-1.0);"), "");
  EXPECT_EQ(why(kKernel, 2, "identifier \"acos\" is undefined", "const float x = acos;"), "");
}

TEST(Conditions, AreInDoubtWhereNvccOrAHeaderMayDefineTheName) {
  const auto nameIn = [](const std::string& text) {
    const auto doubt = doubtfulCondition(text);
    return doubt ? doubt->name : std::string();
  };
  EXPECT_EQ(nameIn("#if CUDA_VERSION >= 9000\n#define SYNC() __syncthreads()\n#endif\n"),
            "CUDA_VERSION");
  EXPECT_EQ(nameIn("#ifndef __NVCC__\n#error\n#endif\n"), "__NVCC__");
  EXPECT_EQ(nameIn("#ifdef A\n#elif defined(RAND_MAX)\nint a;\n#endif\n"), "RAND_MAX");
  for (const std::string name : {"unix", "linux", "_GNU_SOURCE", "PATH_MAX", "__LP64__"})
    EXPECT_EQ(nameIn("#ifdef " + name + "\nint a;\n#endif\n"), name);
  EXPECT_EQ(nameIn("#ifdef __linux__\n#ifdef A\nint a;\n#endif\n#endif\n"), "__linux__");
  EXPECT_EQ(doubtfulCondition("int a;\n\n#ifdef __NVCC__\nint b;\n#endif\n")->line, 3);
  for (const char* plain :
       {"#ifdef __linux__\n#include <unistd.h>\n#endif\nint a;\n",
        "#ifndef __CUDACC__\n#define __syncthreads()\n#endif\n", "#ifdef DEBUG\nint a;\n#endif\n",
        "#ifdef __INTELLISENSE__\nint a;\n#endif\n", "#if __CUDA_ARCH__ >= 700\nint a;\n#endif\n",
        "#endif\n#elif __NVCC__\nint a;\n",
        "#define RAND_MAX 1\n#ifdef RAND_MAX\nint a;\n#endif\n"})
    EXPECT_EQ(nameIn(plain), "") << plain;
}

}  // namespace nvcc_doubts_test
}  // namespace tilestep::compile
