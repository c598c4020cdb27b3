/*---
# SPDX-License-Identifier: Apache-2.0
title = "Products of bytes, four at a time"
sizes = { m = 20, n = 20, q = 5 }
launch = { block = [8, 8], grid = ["ceildiv(n, 8)", "ceildiv(m, 8)"] }
operand = [
  { name = "M", type = "i8", extent = "m * 4 * q" },
  { name = "N", type = "i8", extent = "n * 4 * q" },
  { name = "P", type = "i32", extent = "m * n", direction = "out" },
  { name = "m", kind = "scalar" },
  { name = "n", kind = "scalar" },
  { name = "q", kind = "scalar" },
]
---*/

// N is stored column by column, so that four bytes of a column are one word: dp4a multiplies and
// adds four pairs of signed bytes.
__global__ void mm_dp4a(const int* M, const int* N, int* P, int m, int n, int q) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) return;
  int sum = 0;
  for (int i = 0; i < q; ++i) sum = __dp4a(M[row * q + i], N[col * q + i], sum);
  P[row * n + col] = sum;
}
