// SPDX-License-Identifier: Apache-2.0
// out[b] is the sum of 8 * BLOCK elements: each thread adds eight of them while it loads.
__global__ void eightfold_sum(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * 8 * BLOCK + tid;
  float sum = 0.0f;
  for (int part = 0; part < 8; ++part) {
    if (i + part * BLOCK < n) {
      sum += in[i + part * BLOCK];
    }
  }
  sums[tid] = sum;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (tid < stride) {
      sums[tid] += sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
