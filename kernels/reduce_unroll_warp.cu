/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, last warp unrolled"
summary = "Once 32 threads are left, they are one warp: warp barriers, which cost next to nothing, replace block barriers, and the rounds are unrolled."
reference = "block_sums"
elements_per_block = "8 * BLOCK"
operations = "n - ceildiv(n, 8 * BLOCK)"
sizes = { n = 1048576 }
rules = [
  { expr = "n < 2^31 - 8192", say = "{n} elements; int indices allow fewer than {2^31 - 8192}" },
]

[tunable.BLOCK]
default = 256
values = [64, 128, 256, 512, 1024]
title = "threads per block"

[launch]
block = ["BLOCK"]
grid = ["ceildiv(n, 8 * BLOCK)"]

[[shared]]
name = "sums"
rows = "1"
columns = "BLOCK"

[[operand]]
name = "in"
rows = 1
columns = "n"

[[operand]]
name = "out"
rows = 1
columns = "ceildiv(n, 8 * BLOCK)"
direction = "out"

[[operand]]
name = "n"
kind = "scalar"
---*/

// One warp adds the last 64 sums. Every lane adds, even if its sum is not needed, to avoid
// divergence. Old books omit the barriers and write `volatile`; since Volta the lanes of a warp
// need not run in lockstep, so each round has a read, a barrier, a write and another barrier.
__device__ void add_last_warp(float* sums, float* out, int lane) {
  float value = sums[lane] + sums[lane + 32];
#pragma unroll
  for (int stride = 16; stride > 0; stride /= 2) {
    __syncwarp();
    sums[lane] = value;
    __syncwarp();
    value += sums[(lane + stride) % 32];
  }
  if (lane == 0) {
    out[blockIdx.x] = value;
  }
}

// Works like reduce_unroll8 until 64 sums are left, which one warp adds.
__global__ void reduce_unroll_warp(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int first = blockIdx.x * (8 * BLOCK) + tid;  // The first of eight elements, BLOCK apart.

  // The loads do not wait for one another, so more of them are in flight at once.
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    int i = first + j * BLOCK;
    if (i < n) {
      sum += in[i];
    }
  }
  sums[tid] = sum;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    add_last_warp(sums, out, tid);
  }
}
