/*---
# SPDX-License-Identifier: Apache-2.0
title = "Transpose of bytes"
reference = "transpose"
sizes = { m = 50, n = 40 }

[launch]
block = [32, 8]
grid = ["ceildiv(n, 32)", "ceildiv(m, 32)"]

[[operand]]
name = "in"
type = "u8"
rows = "m"
columns = "n"

[[operand]]
name = "out"
type = "u8"
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

// Bytes: four lanes share a bank's word. Each thread carries four rows.
__global__ void transpose_bytes(const unsigned char* in, unsigned char* out, int m, int n) {
  __shared__ unsigned char tile[32][36];
  int x = threadIdx.x, left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (top + y < m && left + x < n) tile[y][x] = in[(top + y) * n + left + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    if (left + y < n && top + x < m) out[(left + y) * m + top + x] = tile[x][y];
  }
}
