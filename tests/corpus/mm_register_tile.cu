/*---
# SPDX-License-Identifier: Apache-2.0
title = "Four results a thread"
reference = "matmul"
sizes = { m = 33, n = 33, k = 33 }

[launch]
block = [16, 16]
grid = ["ceildiv(n, 16)", "ceildiv(m, 64)"]

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
columns = "n"

[[operand]]
name = "P"
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
name = "k"
kind = "scalar"
---*/

// Each thread keeps four elements of a column of P in registers: one load from the tile of N
// serves four sums.
__global__ void mm_register_tile(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[64][17];
  __shared__ float Nds[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 16 + tx;
  float sum[4] = {0.0f, 0.0f, 0.0f, 0.0f};
  for (int start = 0; start < k; start += 16) {
#pragma unroll
    for (int r = 0; r < 4; ++r) {
      int row = blockIdx.y * 64 + r * 16 + ty;
      Mds[r * 16 + ty][tx] = row < m && start + tx < k ? M[row * k + start + tx] : 0.0f;
    }
    Nds[ty][tx] = start + ty < k && col < n ? N[(start + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) {
      float b = Nds[i][tx];
#pragma unroll
      for (int r = 0; r < 4; ++r) sum[r] += Mds[r * 16 + ty][i] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int r = 0; r < 4; ++r) {
    int row = blockIdx.y * 64 + r * 16 + ty;
    if (row < m && col < n) P[row * n + col] = sum[r];
  }
}
