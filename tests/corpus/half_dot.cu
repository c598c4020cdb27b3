/*---
# SPDX-License-Identifier: Apache-2.0
title = "Dot product of half2 with float sums"
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
extent = "ceildiv(n, 32)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cuda_fp16.h>

__global__ void half_dot(const __half2* x, const __half2* y, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  if (i < n) {
    float2 a = __half22float2(x[i]), b = __half22float2(y[i]);
    sum = a.x * b.x + a.y * b.y;
  }
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (i < n && i % 32 == 0) out[i / 32] = sum;
}
