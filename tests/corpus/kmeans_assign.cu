/*---
# SPDX-License-Identifier: Apache-2.0
title = "Nearest centre of each point"
sizes = { n = 1000 }

[launch]
block = [128]
grid = ["ceildiv(n, 128)"]

[[operand]]
name = "points"
extent = "2 * n"

[[operand]]
name = "centres"
extent = "10"

[[operand]]
name = "nearest"
type = "i32"
extent = "n"
direction = "out"

[[operand]]
name = "sizes"
type = "i32"
extent = "5"
direction = "inout"
fill = "zero"

[[operand]]
name = "n"
kind = "scalar"
---*/

__global__ void kmeans_assign(const float2* points, const float2* centres, int* nearest,
                              int* sizes, int n) {
  __shared__ float2 cached[5];
  if (threadIdx.x < 5) cached[threadIdx.x] = centres[threadIdx.x];
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1.0e30f;
  int which = 0;
  for (int c = 0; c < 5; ++c) {
    float dx = points[i].x - cached[c].x, dy = points[i].y - cached[c].y;
    float distance = dx * dx + dy * dy;
    if (distance < best) {
      best = distance;
      which = c;
    }
  }
  nearest[i] = which;
  atomicAdd(&sizes[which], 1);
}
