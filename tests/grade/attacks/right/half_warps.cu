// SPDX-License-Identifier: Apache-2.0
// Each half warp synchronizes separately, while the lanes of the warp may have diverged.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK], total;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  const unsigned half = 0xffffu << (t & 16);
  if (t == 0) total = 0;
  __syncthreads();
  s[t] = v;
  __syncwarp(half);
  if ((t & 15) == 0) { float r = 0; for (int j = 0; j < 16; j++) r += s[t + j]; atomicAdd(&total, r); }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = total;
}
