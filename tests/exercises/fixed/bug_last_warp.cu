// SPDX-License-Identifier: Apache-2.0
// out[b] is the sum of the BLOCK elements of block b. One warp adds the last sums without a barrier
// of the whole block: its lanes wait for each other at __syncwarp.
__global__ void last_warp(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    float sum = sums[tid];
    if (BLOCK >= 64) {
      sum += sums[tid + 32];
    }
    for (int stride = 16; stride > 0; stride /= 2) {
      sums[tid] = sum;
      __syncwarp();
      if (tid < stride) {
        sum += sums[tid + stride];
      }
      __syncwarp();
    }
    if (tid == 0) {
      out[blockIdx.x] = sum;
    }
  }
}
