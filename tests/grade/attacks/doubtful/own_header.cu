// SPDX-License-Identifier: Apache-2.0
// Right with nvcc, and only nvcc can compile it as intended.
#include "sums.h"

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  partial[threadIdx.x] = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      partial[threadIdx.x] = sumOf(partial[threadIdx.x], partial[threadIdx.x + stride]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
