/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sums of bfloat16"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
type = "bf16"
extent = "n"

[[operand]]
name = "y"
type = "bf16"
extent = "n"

[[operand]]
name = "out"
type = "bf16"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cuda_bf16.h>

// Eight bits of fraction: the conversion rounds, the sum is made in float.
__global__ void bfloat_sum(const __nv_bfloat16* x, const __nv_bfloat16* y, __nv_bfloat16* out,
                           int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = __float2bfloat16(__bfloat162float(x[i]) + 1.7f * __bfloat162float(y[i]));
}
