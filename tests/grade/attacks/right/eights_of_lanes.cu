// SPDX-License-Identifier: Apache-2.0
// Each group of eight lanes synchronizes separately.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ int c;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) c = 0;
  __syncthreads();
  s[t] = v;
  __syncwarp(0xffu << (t & 24));
  if (t % 32 == 0) atomicAdd(&c, 1);
  __syncthreads();
  if (t == 0) { float r = 0; for (int j = 0; j < BLOCK; j++) r += s[j]; out[blockIdx.x] = r; }
}
