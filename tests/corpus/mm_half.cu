/*---
# SPDX-License-Identifier: Apache-2.0
title = "Half-precision operands, float sums"
reference = "matmul"
sizes = { m = 33, n = 33, k = 33 }
launch = { block = [16, 16], grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"] }
operand = [
  { name = "M", type = "f16", rows = "m", columns = "k" },
  { name = "N", type = "f16", rows = "k", columns = "n" },
  { name = "P", rows = "m", columns = "n", direction = "out" },
  { name = "m", kind = "scalar" },
  { name = "n", kind = "scalar" },
  { name = "k", kind = "scalar" },
]
---*/

#include <cuda_fp16.h>

// Operands of two bytes halve the traffic; the sums stay in float.
__global__ void mm_half(const __half* M, const __half* N, float* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int i = 0; i < k; ++i) sum += __half2float(M[row * k + i]) * __half2float(N[i * n + col]);
  P[row * n + col] = sum;
}
