/*---
# SPDX-License-Identifier: Apache-2.0
title = "Two halves an instruction"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
type = "f16"
extent = "2 * n"

[[operand]]
name = "y"
type = "f16"
extent = "2 * n"

[[operand]]
name = "out"
type = "f16"
extent = "2 * n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cuda_fp16.h>

__global__ void half2_pairs(const __half2* x, const __half2* y, __half2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half2 sum = __hfma2(x[i], y[i], __half2half2(__float2half(0.125f)));
  __half2 swapped = __lowhigh2highlow(sum);
  out[i] = __hmax2(__hsub2(sum, swapped), __hmul2(swapped, y[i]));
}
