// SPDX-License-Identifier: Apache-2.0
#include "compile/text/compiler_names.h"

#include <gtest/gtest.h>

#include <string>

namespace tilestep::compile {
namespace compiler_names_test {

TEST(CompilerNames, MayMakeOneKernelTwo) {
  for (const std::string text :
       {"#ifdef __clang__\n__syncthreads();\n#endif", "#if !__OPTIMIZE__\n#endif",
        "#if __CUDACC_VER_MAJOR__ >= 9\n#endif", "#ifndef __SIZEOF_INT128__\n#endif",
        "#if 0\n#elif defined(__NVPTX__)\n#endif",
        "#define PART(a, b) a##b\n#if PART(__cl, ang__)\n#endif",
        "#define ASKED __clang_major__\n#if ASKED > 3\n#endif", "#ifdef __cl\\\nang__\n#endif",
        "#if __has_feature(x)\n#endif", "if (__builtin_constant_p(t - t)) f();",
        "if (__PRETTY_FUNCTION__[0] == 'v') f();", "if (sizeof(threadIdx) != 12) f();",
        "if (sizeof blockDim != 12) f();", "#ifdef _GNU_SOURCE\n#endif",
        "#ifdef TILESTEP_INLINE\n#endif", "%:ifdef __clang__\n%:endif"})
    EXPECT_TRUE(tellsCompilersApart(text)) << text;
}

TEST(CompilerNames, AreNotInUsualKernels) {
  for (const std::string text :
       {"", "__global__ void k(float* __restrict__ x) { __syncthreads(); }",
        "#ifndef BLOCK\n#define BLOCK 256\n#endif", "#if __CUDA_ARCH__ >= 800\n#endif",
        "#define FULL 0xffffffff\n#define DOWN(x, d) __shfl_down_sync(FULL, x, d)",
        "#ifndef __CUDACC__\n#define __syncthreads()\n#endif", "int x = sizeof(int) * threadIdx.x;",
        "#pragma unroll\n// __clang__", "#include <cuda_fp16.h>\nconst char* s = \"__clang__\";"})
    EXPECT_FALSE(tellsCompilersApart(text)) << text;
}

}  // namespace compiler_names_test
}  // namespace tilestep::compile
