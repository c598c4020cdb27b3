// SPDX-License-Identifier: Apache-2.0
// Lane 0 waits for a flag, tells its warp, and the others read the flag plainly.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ volatile int ready;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) ready = 0;
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) { __threadfence_block(); ready = 7; }
  if ((t & 31) == 0) while (ready == 0) {}
  __syncwarp();
  int r = *(int*)&ready;
  if (t == BLOCK - 1 && r == 7) { __threadfence_block(); out[blockIdx.x] = s[0]; }
}
