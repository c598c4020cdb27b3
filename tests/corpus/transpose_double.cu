/*---
# SPDX-License-Identifier: Apache-2.0
title = "Transpose of doubles"
reference = "transpose"
sizes = { m = 50, n = 40 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "in"
type = "f64"
rows = "m"
columns = "n"

[[operand]]
name = "out"
type = "f64"
rows = "n"
columns = "m"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void transpose_double(const double* in, double* out, int m, int n) {
  __shared__ double tile[16][17];
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) tile[threadIdx.y][threadIdx.x] = in[row * n + col];
  __syncthreads();
  int to_col = blockIdx.y * 16 + threadIdx.x, to_row = blockIdx.x * 16 + threadIdx.y;
  if (to_row < n && to_col < m) out[to_row * m + to_col] = tile[threadIdx.x][threadIdx.y];
}
