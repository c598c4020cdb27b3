/*---
# SPDX-License-Identifier: Apache-2.0
title = "Two-dimensional convolution with a halo"
sizes = { m = 40, n = 50 }
launch = { block = [16, 16], grid = ["ceildiv(n, 14)", "ceildiv(m, 14)"] }
operand = [
  { name = "in", rows = "m", columns = "n" },
  { name = "filter", extent = "9" },
  { name = "out", rows = "m", columns = "n", direction = "out" },
  { name = "m", kind = "scalar" },
  { name = "n", kind = "scalar" },
]
---*/

// The block loads 16 x 16 elements and writes the 14 x 14 inside.
__global__ void conv2d_tiled(const float* in, const float* filter, float* out, int m, int n) {
  __shared__ float tile[16][16];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 14 + tx - 1, row = blockIdx.y * 14 + ty - 1;
  bool inside = row >= 0 && row < m && col >= 0 && col < n;
  tile[ty][tx] = inside ? in[row * n + col] : 0.0f;
  __syncthreads();
  if (!inside || tx == 0 || ty == 0 || tx == 15 || ty == 15) return;
  float sum = 0.0f;
  for (int dy = 0; dy < 3; ++dy) {
    for (int dx = 0; dx < 3; ++dx) sum += tile[ty + dy - 1][tx + dx - 1] * filter[dy * 3 + dx];
  }
  out[row * n + col] = sum;
}
