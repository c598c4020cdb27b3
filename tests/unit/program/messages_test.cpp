// SPDX-License-Identifier: Apache-2.0
#include "program/messages.h"

#include <gtest/gtest.h>

namespace tilestep::program::messages_test {

TEST(ProgramMessages, ClangsFirstErrorHasItsLocationAndSourceLine) {
  const Error error = refusal(
      "hw1.cu:3:5: warning: unused variable 'a'\n"
      "hw1.cu:8:32: error: use of undeclared identifier 'b'\n"
      "  c = b;\n"
      "      ^\n"
      "hw1.cu:9:1: error: another\n",
      "hw1.cu");
  EXPECT_EQ(error.kind, ErrorKind::request);
  EXPECT_EQ(error.message, "use of undeclared identifier 'b'");
  ASSERT_TRUE(error.where);
  EXPECT_EQ(error.where->file, "hw1.cu");
  EXPECT_EQ(error.where->line, 8);
  EXPECT_EQ(error.where->column, 32);
  EXPECT_EQ(error.sourceLine, "  c = b;");
}

TEST(ProgramMessages, UnsupportedFeaturesAndUnknownNamesAreReported) {
  EXPECT_EQ(refusal("clang: error: no such file or directory: 'x.cu'", "x.cu").message,
            "no such file or directory: 'x.cu'");
  EXPECT_EQ(refusal("", "x.cu").message, "clang does not compile x.cu");
  EXPECT_EQ(
      refusal("a.cu:8:3: error: unknown type name 'cudaTextureObject_t'\n", "a.cu").message,
      "unknown type name 'cudaTextureObject_t'; programs that use textures do not run here yet");
  EXPECT_EQ(refusal("a.cu:1:10: fatal error: 'cufft.h' file not found\n", "a.cu").message,
            "'cufft.h' file not found; programs that use cuFFT do not run here yet");
  EXPECT_EQ(refusal("a.cu:8:3: error: unknown type name 'cudaGraph_t'\n"
                    "  cudaGraph_t graph;\n"
                    "a.cu:9:3: error: use of undeclared identifier 'cudaMallocArray'\n"
                    "a.cu:9:9: error: use of undeclared identifier 'mine'\n",
                    "a.cu")
                .message,
            "unknown type name 'cudaGraph_t'; programs that use CUDA arrays and CUDA graphs do not "
            "run here yet; unsupported names: cudaGraph_t and cudaMallocArray");
  EXPECT_EQ(refusal("a.cu:8:3: error: no matching function for call to 'cudaMalloc'\n"
                    "a.h:1:1: note: candidate function not viable: call to __host__ function from "
                    "__global__ function\n",
                    "a.cu")
                .message,
            "no matching function for call to 'cudaMalloc'; programs that use the runtime's "
            "functions in device code do not run here yet");
}

TEST(ProgramMessages, EveryMissingFunctionIsNamedOnce) {
  const Error error = missingFunctions(
      "/usr/bin/ld: /tmp/0.o: in function `main':\n"
      "hw1.cu:(.text+0x12): undefined reference to `cublasCgemm'\n"
      "hw1.cu:(.text+0x20): undefined reference to `help(int, float*)'\n"
      "hw1.cu:(.text+0x32): undefined reference to `cublasCgemm'\n"
      "clang: error: linker command failed with exit code 1\n",
      "hw1.cu");
  EXPECT_EQ(error.message,
            "hw1.cu uses functions that are missing here: cublasCgemm, help(int, float*); "
            "programs that use this part of cuBLAS do not run here yet");
}

}  // namespace tilestep::program::messages_test
