/*---
# SPDX-License-Identifier: Apache-2.0
title = "Convolution with a tile and its halo"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "in"
extent = "n"

[[operand]]
name = "mask"
extent = "9"

[[operand]]
name = "out"
extent = "n"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

#define RADIUS 4

__global__ void conv1d_tiled(const float* in, const float* mask, float* out, int n) {
  __shared__ float tile[128 + 2 * RADIUS];
  int i = blockIdx.x * 128 + threadIdx.x;
  tile[RADIUS + threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < RADIUS) {
    int left = i - RADIUS, right = i + 128;
    tile[threadIdx.x] = left >= 0 && left < n ? in[left] : 0.0f;
    tile[threadIdx.x + RADIUS + 128] = right < n ? in[right] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j <= 2 * RADIUS; ++j) sum += tile[threadIdx.x + j] * mask[j];
  out[i] = sum;
}
