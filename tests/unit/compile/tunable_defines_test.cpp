// SPDX-License-Identifier: Apache-2.0
#include "compile/text/tunable_defines.h"

#include <gtest/gtest.h>

#include "compile/front_matter/front_matter.h"
#include "support/results.h"

namespace tilestep::compile::tunable_defines_test {

Result<KernelSpec> parsed(const std::string& code) {
  return parseKernel({"k.cu",
                      "/*---\nsizes = { n = 64 }\n[tunable.PER]\ndefault = 2\nrange = [1, 8]\n"
                      "[launch]\nblock = [32]\ngrid = [1]\n"
                      "[[operand]]\nname = \"out\"\nextent = \"n\"\ndirection = \"out\"\n---*/\n" +
                          code + "__global__ void k(float* out) { out[threadIdx.x] = PER; }\n",
                      {}});
}

TEST(TunableDefines, ADefineOfATunableIsRefusedAtItsLine) {
  const auto spec = parsed("// PER\n  #  define PER 4\n");
  ASSERT_TRUE(fails(spec, ErrorKind::request, "PER is a tunable, but this line defines it, too"));
  ASSERT_TRUE(spec.error().where);
  EXPECT_EQ(spec.error().where->line, 15);
  EXPECT_EQ(spec.error().sourceLine, "  #  define PER 4");
  EXPECT_FALSE(parsed("#ifdef X\n#define Y 1\n#endif\n#define PER 4\n"));
}

TEST(TunableDefines, DefaultsAndOtherNamesAreAccepted) {
  for (const char* code : {"#ifndef PER\n#define PER 4\n#endif\n", "#define PERMUTE 4\n",
                           "// #define PER 4\n", "#define WIDTH PER\n", "#undef OTHER\n"}) {
    const auto spec = parsed(code);
    EXPECT_TRUE(spec) << code << spec.error().message;
  }
}

}  // namespace tilestep::compile::tunable_defines_test
