/*---
# SPDX-License-Identifier: Apache-2.0
title = "Histogram with a copy for each warp"
sizes = { n = 1000 }

[launch]
block = [64]
grid = [2]

[[operand]]
name = "data"
type = "u8"
extent = "n"

[[operand]]
name = "bins"
type = "u32"
extent = "16"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

// Sixteen bins, a copy for each of two warps: fewer lanes meet at one counter.
__global__ void histogram_warps(const unsigned char* data, unsigned* bins, int n) {
  __shared__ unsigned copies[2][16];
  if (threadIdx.x < 32) copies[threadIdx.x / 16][threadIdx.x % 16] = 0;
  __syncthreads();
  int warp = threadIdx.x / 32;
  for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 128) {
    atomicAdd(&copies[warp][data[i] >> 4], 1u);
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], copies[0][threadIdx.x] + copies[1][threadIdx.x]);
}
