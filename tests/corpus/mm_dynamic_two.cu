/*---
# SPDX-License-Identifier: Apache-2.0
title = "Two dynamic tiles in one array"
reference = "matmul"
sizes = { m = 33, n = 33, k = 33 }
launch = { block = [16, 16], grid = ["ceildiv(n, 16)", "ceildiv(m, 16)"], dynamic_shared_bytes = "2 * 16 * 16 * 4" }
operand = [
  { name = "M", rows = "m", columns = "k" },
  { name = "N", rows = "k", columns = "n" },
  { name = "P", rows = "m", columns = "n", direction = "out" },
  { name = "m", kind = "scalar" },
  { name = "n", kind = "scalar" },
  { name = "k", kind = "scalar" },
]
---*/

// One extern array holds both tiles: the second begins blockDim.x * blockDim.y elements in.
extern __shared__ float tiles[];

__global__ void mm_dynamic_two(const float* M, const float* N, float* P, int m, int n, int k) {
  int width = blockDim.x;
  float* Mds = tiles;
  float* Nds = tiles + width * width;
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * width + ty, col = blockIdx.x * width + tx;
  float sum = 0.0f;
  for (int ph = 0; ph * width < k; ++ph) {
    int a = ph * width + tx, b = ph * width + ty;
    Mds[ty * width + tx] = row < m && a < k ? M[row * k + a] : 0.0f;
    Nds[ty * width + tx] = col < n && b < k ? N[b * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < width; ++i) sum += Mds[ty * width + i] * Nds[i * width + tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = sum;
}
