/*---
# SPDX-License-Identifier: Apache-2.0
title = "Two-dimensional convolution"
sizes = { m = 40, n = 50 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "in"
rows = "m"
columns = "n"

[[operand]]
name = "out"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "filter"
kind = "symbol"
extent = "25"
---*/

__constant__ float filter[25];

// At the edge the nearest element inside stands in.
__global__ void conv2d_constant(const float* in, float* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0.0f;
  for (int dy = -2; dy <= 2; ++dy) {
    for (int dx = -2; dx <= 2; ++dx) {
      int y = min(max(row + dy, 0), m - 1), x = min(max(col + dx, 0), n - 1);
      sum += in[y * n + x] * filter[(dy + 2) * 5 + dx + 2];
    }
  }
  out[row * n + col] = sum;
}
