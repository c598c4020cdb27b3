/*---
# SPDX-License-Identifier: Apache-2.0
title = "A warp that adds through volatile memory"
sizes = { n = 1000 }

[launch]
block = [32]
grid = ["ceildiv(n, 32)"]

[[operand]]
name = "in"
type = "i32"
extent = "n"

[[operand]]
name = "out"
type = "i32"
extent = "ceildiv(n, 32)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// volatile alone is not enough: the warp barriers order reads and writes.
__global__ void volatile_warp(const int* in, int* out, int n) {
  __shared__ volatile int sums[64];
  int lane = threadIdx.x, i = blockIdx.x * 32 + lane;
  sums[lane] = i < n ? in[i] : 0;
  sums[lane + 32] = 0;
  __syncwarp();
  for (int offset = 16; offset > 0; offset /= 2) {
    int value = sums[lane] + sums[lane + offset];
    __syncwarp();
    sums[lane] = value;
    __syncwarp();
  }
  if (lane == 0) out[blockIdx.x] = sums[0];
}
