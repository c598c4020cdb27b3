/*---
# SPDX-License-Identifier: Apache-2.0
title = "Edges of an image of bytes"
sizes = { m = 40, n = 50 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"]

[[operand]]
name = "in"
type = "u8"
rows = "m"
columns = "n"

[[operand]]
name = "out"
type = "u8"
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

__device__ int pixel(const unsigned char* in, int row, int col, int m, int n) {
  row = min(max(row, 0), m - 1);
  col = min(max(col, 0), n - 1);
  return in[row * n + col];
}

__global__ void sobel(const unsigned char* in, unsigned char* out, int m, int n) {
  int col = blockIdx.x * 16 + threadIdx.x, row = blockIdx.y * 16 + threadIdx.y;
  if (row >= m || col >= n) return;
  int p[3][3];
#pragma unroll
  for (int y = 0; y < 3; ++y) {
#pragma unroll
    for (int x = 0; x < 3; ++x) p[y][x] = pixel(in, row + y - 1, col + x - 1, m, n);
  }
  int gx = p[0][2] + 2 * p[1][2] + p[2][2] - p[0][0] - 2 * p[1][0] - p[2][0];
  int gy = p[2][0] + 2 * p[2][1] + p[2][2] - p[0][0] - 2 * p[0][1] - p[0][2];
  out[row * n + col] = min(abs(gx) + abs(gy), 255);
}
