// SPDX-License-Identifier: Apache-2.0
// Compiled with -O3, on x86-64 for AVX2 with fused multiply-add, like the tools it is compared
// with.
#include "support/product.h"

namespace tilestep::bench {

void nativeSums(const float* m, const float* n, float* p, uint32_t size) {
  for (uint32_t row = 0; row < size; ++row) {
    for (uint32_t column = 0; column < size; ++column) {
      float sum = 0;
      for (uint32_t k = 0; k < size; ++k) {
        sum = __builtin_fmaf(m[row * size + k], n[k * size + column], sum);
      }
      p[row * size + column] = sum;
    }
  }
}

void nativeRows(const float* m, const float* n, float* p, uint32_t size) {
  for (uint32_t row = 0; row < size; ++row) {
    float* __restrict sums = p + size_t{row} * size;
    for (uint32_t column = 0; column < size; ++column) sums[column] = 0;
    for (uint32_t k = 0; k < size; ++k) {
      const float factor = m[row * size + k];
      const float* from = n + size_t{k} * size;
      for (uint32_t column = 0; column < size; ++column) {
        sums[column] = __builtin_fmaf(factor, from[column], sums[column]);
      }
    }
  }
}

bool nativeRuns() {
#ifdef __AVX2__
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return true;
#endif
}

}  // namespace tilestep::bench
