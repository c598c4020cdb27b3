// SPDX-License-Identifier: Apache-2.0
// Lanes with equal values find each other and synchronize.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK], total;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) total = 0;
  __syncthreads();
  unsigned m = __match_any_sync(~0u, t % 3);
  s[t] = v;
  __syncwarp(m);
  if (__ffs(m) - 1 == (t & 31)) { float r = 0; for (unsigned q = m; q; q &= q - 1) r += s[(t & ~31) + __ffs(q) - 1]; atomicAdd(&total, r); }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = total;
}
