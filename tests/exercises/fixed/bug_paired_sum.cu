// SPDX-License-Identifier: Apache-2.0
// out[b] is the sum of 2 * BLOCK elements: each thread adds two of them while it loads.
__global__ void paired_sum(const float* in, float* out, int n) {
  __shared__ float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * 2 * BLOCK + tid;
  float sum = i < n ? in[i] : 0.0f;
  if (i + BLOCK < n) {
    sum += in[i + BLOCK];
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
