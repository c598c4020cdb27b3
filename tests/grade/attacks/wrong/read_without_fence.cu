// SPDX-License-Identifier: Apache-2.0
// The last thread reads a sum to which others added without a fence. Clearing it then does not help.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float sum;
  __shared__ int done;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) { sum = 0; done = 0; }
  __syncthreads();
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (t % 32 == 0) {
    atomicAdd(&sum, v);
    if (atomicAdd(&done, 1) == BLOCK / 32 - 1) {
      float r = sum;
      atomicExch(&sum, 0.f);
      out[blockIdx.x] = r;
    }
  }
}
