/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiles with a partial last phase"
reference = "matmul"
sizes = { m = 33, n = 33, k = 33 }

[launch]
block = [8, 8]
grid = ["ceildiv(n, 8)", "ceildiv(m, 8)"]

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

#define WIDTH 8
// The loop over k inside a tile ends early in the last phase, so no zeros are stored there.
__global__ void mm_partial_last(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[WIDTH][WIDTH];
  __shared__ float Nds[WIDTH][WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * WIDTH + ty, col = blockIdx.x * WIDTH + tx;
  float sum = 0.0f;
  for (int start = 0; start < k; start += WIDTH) {
    int length = min(WIDTH, k - start);
    if (row < m && tx < length) Mds[ty][tx] = M[row * k + start + tx];
    if (col < n && ty < length) Nds[ty][tx] = N[(start + ty) * n + col];
    __syncthreads();
    if (row < m && col < n) {
      for (int i = 0; i < length; ++i) sum += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = sum;
}
