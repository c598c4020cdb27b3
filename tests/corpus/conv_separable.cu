/*---
# SPDX-License-Identifier: Apache-2.0
title = "Blur along rows, then along columns"
sizes = { m = 40, n = 50 }

[[launch]]
entry = "blur_rows"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[launch]]
entry = "blur_columns"
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "in"
rows = "m"
columns = "n"

[[operand]]
name = "half_way"
rows = "m"
columns = "n"
direction = "inout"
fill = "zero"

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
---*/

__device__ float blurred(const float* in, int at, int step, int left, int right) {
  float sum = 2.0f * in[at];
  sum += left > 0 ? in[at - step] : in[at];
  sum += right > 0 ? in[at + step] : in[at];
  return sum * 0.25f;
}

__global__ void blur_rows(const float* in, float* half_way, float* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) half_way[row * n + col] = blurred(in, row * n + col, 1, col, n - 1 - col);
}

__global__ void blur_columns(const float* in, float* half_way, float* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row < m && col < n) out[row * n + col] = blurred(half_way, row * n + col, n, row, m - 1 - row);
}
