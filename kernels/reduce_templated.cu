/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum, templated"
summary = "The block's size is a template parameter: the compiler evaluates the size tests of the completely unrolled sum, and only the rounds that are needed remain in the program."
reference = "block_sums"
entry = "reduce_templated<BLOCK>"
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

// Compare its PTX with reduce_unroll_complete's: the size tests are gone.
template <unsigned kBlock>
__global__ void reduce_templated(const float* in, float* out, int n) {
  __shared__ float sums[kBlock];
  int tid = threadIdx.x;
  int first = blockIdx.x * (8 * kBlock) + tid;  // The first of eight elements, kBlock apart.

  // The loads do not wait for one another, so more of them are in flight at once.
  float sum = 0.0f;
#pragma unroll
  for (int j = 0; j < 8; ++j) {
    int i = first + j * kBlock;
    if (i < n) {
      sum += in[i];
    }
  }
  sums[tid] = sum;
  __syncthreads();

  if constexpr (kBlock >= 1024) {
    if (tid < 512) {
      sums[tid] += sums[tid + 512];
    }
    __syncthreads();
  }

  if constexpr (kBlock >= 512) {
    if (tid < 256) {
      sums[tid] += sums[tid + 256];
    }
    __syncthreads();
  }

  if constexpr (kBlock >= 256) {
    if (tid < 128) {
      sums[tid] += sums[tid + 128];
    }
    __syncthreads();
  }

  if constexpr (kBlock >= 128) {
    if (tid < 64) {
      sums[tid] += sums[tid + 64];
    }
    __syncthreads();
  }

  if (tid < 32) {
    add_last_warp(sums, out, tid);
  }
}
