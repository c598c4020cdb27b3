/*---
# SPDX-License-Identifier: Apache-2.0
title = "a x + y in half precision"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "x", type = "f16", extent = "n" },
  { name = "y", type = "f16", extent = "n" },
  { name = "out", type = "f16", extent = "n", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cuda_fp16.h>

__global__ void half_axpy(const __half* x, const __half* y, __half* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  __half a = __float2half(0.3f);
  out[i] = __hadd(__hmul(a, x[i]), __hfma(y[i], x[i], __hneg(y[i])));
}
