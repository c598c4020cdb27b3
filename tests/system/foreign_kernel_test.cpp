// SPDX-License-Identifier: Apache-2.0
// Kernels from strangers: they must not read files or use too many resources when compiled.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/results.h"
#include "support/service.h"
#include "system/run_support.h"

namespace tilestep::system_test::foreign_kernel_test {

namespace fs = std::filesystem;
using support::Words;

constexpr const char* kSecret = "SECRETWORD";

class ForeignKernel : public testing::Test {
 protected:
  support::TemporaryFolder folder{"foreign"};

  /// Runs the file.
  support::Finished run(const std::string& file, const Words& environment = {}) const {
    return support::tilestep({"run", file, "--device", "simt", "--size", "64"}, environment);
  }
};

/// A sum of two vectors with `before` in front of it and `inside` in its body.
std::string kernelWith(const std::string& before, const std::string& inside) {
  return "/*---\nsizes = { n = 64 }\n[launch]\nblock = [64]\ngrid = [1]\n[[operand]]\nname = "
         "\"x\"\n"
         "rows = 1\ncolumns = \"n\"\ndirection = \"out\"\n[[operand]]\nname = \"n\"\nkind = "
         "\"scalar\"\n"
         "---*/\n" +
         before + "__global__ void f(float* x, int n) {\n" + inside +
         "  x[threadIdx.x] = 1.0f;\n}\n";
}

TEST_F(ForeignKernel, NoDirectiveReadsAFileOfThisMachine) {
  const std::string secret = folder.write("secret.txt", "\"" + std::string(kSecret) + "\"\n");
  const std::string place = "\"" + secret + "\"";
  int number = 0;
  for (const std::string& text : {
           kernelWith("", "const char* s =\n#include " + place + "\n;\n  printf(\"%s\\n\", s);\n"),
           kernelWith("#include /*<cstdint>*/ " + place + "\n", ""),
           kernelWith("#include /\\\n*<cstdint>*/ " + place + "\n", ""),
           kernelWith("int q;\r#include " + place + "\n", ""),
           kernelWith("//x\r#include " + place + "\n", ""),
           kernelWith("", "#if __has_include(" + place + ")\n  x[0] = 7.0f;\n#endif\n"),
           kernelWith("", "const char s[] = {\n#embed " + place + "\n};\n"),
           kernelWith("", "#include " + secret + "\n"),
       }) {
    const support::Finished finished =
        run(folder.write("k" + std::to_string(++number) + ".cu", text));
    EXPECT_FALSE(has(finished.out, kSecret)) << text << finished.out;
    EXPECT_FALSE(has(finished.err, kSecret)) << text << finished.err;
    EXPECT_EQ(finished.status, 2) << text << finished.err;
  }
}

TEST_F(ForeignKernel, AMacroCannotTestForAFile) {
  const auto answerFor = [&](const std::string& place) {
    const std::string file = folder.write(
        "ask.cu", kernelWith("#define CAT(a, b) a##b\n#if CAT(__has_, include)(\"" + place +
                                 "\")\n#define ANSWER 1\n#else\n#define ANSWER 2\n#endif\n",
                             "  x[1] = ANSWER;\n"));
    const support::Finished finished =
        support::tilestep({"run", file, "--device", "simt", "--json"});
    const size_t at = finished.out.find("output_hash");
    return std::to_string(finished.status) +
           (at == std::string::npos ? "" : finished.out.substr(at, 40));
  };
  EXPECT_EQ(answerFor(folder.write("there.txt", "")), answerFor(folder.path("not-there.txt")));
}

TEST_F(ForeignKernel, TheModelSolutionCannotBeIncluded) {
  const support::HomeCopy home;
  const std::string file = folder.write(
      "in.cu",
      "#pragma push_macro(\"__global__\")\n#define __global__ __device__\n#include "
      "/*<cstdint>*/ \"" +
          (home.folder() / "kernels/matrix_sum.cu").string() +
          "\"\n#pragma pop_macro(\"__global__\")\n__global__ void add(const float* M, const "
          "float* N, float* P, int m, int n) {\n  matrix_sum(M, N, P, m, n);\n}\n");
  const support::Finished finished = support::expectStatus(
      2, {"run", file, "--spec", "matrix_sum", "--size", "20", "--device", "simt", "--check"});
  EXPECT_TRUE(has(finished.err, "in.cu:3"));
}

TEST_F(ForeignKernel, VariablesOfTheEnvironmentBringInNoHeaders) {
  fs::create_directory(folder.path("inject"));
  std::ofstream(folder.path("inject/cuda_fp16.h")) << "#error injected\n";
  const support::Finished finished =
      run(folder.write("k.cu", kernelWith("#include <cuda_fp16.h>\n", "")),
          {"CPATH=" + folder.path("inject"), "CPLUS_INCLUDE_PATH=" + folder.path("inject")});
  EXPECT_FALSE(has(finished.err, "injected"));
}

}  // namespace tilestep::system_test::foreign_kernel_test
