// SPDX-License-Identifier: Apache-2.0
#include "program/messages.h"

#include <gtest/gtest.h>

namespace tilestep::program {
namespace messages_test {

TEST(ProgramMessages, TheFirstErrorOfClangHasItsPlaceAndItsLine) {
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

TEST(ProgramMessages, AnErrorWithoutAPlaceIsToldToo) {
  EXPECT_EQ(refusal("clang: error: no such file or directory: 'x.cu'", "x.cu").message,
            "no such file or directory: 'x.cu'");
  EXPECT_EQ(refusal("", "x.cu").message, "clang does not compile x.cu");
}

TEST(ProgramMessages, WhatTilestepDoesNotHaveIsNamed) {
  EXPECT_EQ(
      refusal("a.cu:8:3: error: unknown type name 'cudaTextureObject_t'\n", "a.cu").message,
      "unknown type name 'cudaTextureObject_t'; programs that use textures do not run here yet");
  EXPECT_EQ(refusal("a.cu:1:10: fatal error: 'cublas_v2.h' file not found\n", "a.cu").message,
            "'cublas_v2.h' file not found; programs that use cuBLAS do not run here yet");
}

TEST(ProgramMessages, EveryMissingFunctionIsNamedOnce) {
  const Error error = missingFunctions(
      "/usr/bin/ld: /tmp/0.o: in function `main':\n"
      "hw1.cu:(.text+0x12): undefined reference to `cublasCreate_v2'\n"
      "hw1.cu:(.text+0x20): undefined reference to `help(int, float*)'\n"
      "hw1.cu:(.text+0x32): undefined reference to `cublasCreate_v2'\n"
      "clang: error: linker command failed with exit code 1\n",
      "hw1.cu");
  EXPECT_EQ(error.message,
            "hw1.cu uses functions that are missing here: cublasCreate_v2, help(int, float*); "
            "programs that use cuBLAS do not run here yet");
}

}  // namespace messages_test
}  // namespace tilestep::program
