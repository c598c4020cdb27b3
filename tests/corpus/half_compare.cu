/*---
# SPDX-License-Identifier: Apache-2.0
title = "Comparisons and conversions of halves"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "x"
type = "f16"
extent = "n"

[[operand]]
name = "y"
type = "f16"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#include <cuda_fp16.h>

__global__ void half_compare(const __half* x, const __half* y, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half a = x[i], b = y[i];
  int bits = (__hlt(a, b) ? 1 : 0) | (__heq(a, b) ? 2 : 0) | (__hge(a, b) ? 4 : 0);
  bits |= __half2int_rn(__hmul(a, __float2half(100.0f))) << 4;
  bits ^= (int)__half_as_ushort(__float2half_rz(0.1f * __half2float(b))) << 12;
  out[i] = bits;
}
