/*---
# SPDX-License-Identifier: Apache-2.0
title = "Median of nine neighbours"
sizes = { m = 40, n = 50 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "in"
type = "i32"
rows = "m"
columns = "n"

[[operand]]
name = "out"
type = "i32"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// A sorting network on registers: no indices that the compiler does not know.
__device__ void order(int& a, int& b) {
  int low = min(a, b);
  b = max(a, b);
  a = low;
}

__global__ void median_3x3(const int* in, int* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  int v[9];
#pragma unroll
  for (int j = 0; j < 9; ++j) {
    int y = min(max(row + j / 3 - 1, 0), m - 1), x = min(max(col + j % 3 - 1, 0), n - 1);
    v[j] = in[y * n + x];
  }
#pragma unroll
  for (int pass = 0; pass < 5; ++pass) {
#pragma unroll
    for (int j = pass; j < 8 - pass; ++j) order(v[j], v[j + 1]);
#pragma unroll
    for (int j = 7 - pass; j > pass; --j) order(v[j - 1], v[j]);
  }
  out[row * n + col] = v[4];
}
