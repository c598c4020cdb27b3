/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiles that arrive while others are used"
arch = "compute_80"
sizes = { n = 1000 }
launch = { block = [64], grid = [1] }
operand = [
  { name = "in", extent = "64 * ceildiv(n, 64)" },
  { name = "out", extent = "64 * ceildiv(n, 64)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

#include <cuda_pipeline.h>

// Two buffers: one is used while the next tile is copied into the other.
__global__ void async_pipeline(const float* in, float* out, int n) {
  __shared__ float tiles[2][64];
  int tid = threadIdx.x, tiles_in_all = (n + 63) / 64;
  __pipeline_memcpy_async(&tiles[0][tid], &in[tid], 4);
  __pipeline_commit();
  for (int t = 0; t < tiles_in_all; ++t) {
    if (t + 1 < tiles_in_all) {
      __pipeline_memcpy_async(&tiles[(t + 1) % 2][tid], &in[64 * (t + 1) + tid], 4);
    }
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    out[64 * t + tid] = tiles[t % 2][tid] + tiles[t % 2][63 - tid];
    __syncthreads();
  }
}
