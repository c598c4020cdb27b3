/*---
# SPDX-License-Identifier: Apache-2.0
title = "Sum by warp shuffles"
reference = "block_sums"
elements_per_block = "128"
sizes = { n = 1000 }
launch = { block = [128], grid = ["ceildiv(n, 128)"] }
operand = [
  { name = "in", extent = "n" },
  { name = "out", extent = "ceildiv(n, 128)", direction = "out" },
  { name = "n", kind = "scalar" },
]
---*/

// Each warp adds by shuffles, and then the first warp adds the warps' sums. One barrier is enough.
__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

__global__ void reduce_shuffle(const float* in, float* out, int n) {
  __shared__ float sums[4];
  int i = blockIdx.x * 128 + threadIdx.x;
  float value = warp_sum(i < n ? in[i] : 0.0f);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = warp_sum(threadIdx.x < 4 ? sums[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) out[blockIdx.x] = value;
  }
}
