// SPDX-License-Identifier: Apache-2.0
// The vote's result becomes the next mask, because lanes leave the loop.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float total;
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  int end = min(n, first + 2 * BLOCK);
  if (t == 0) total = 0;
  __syncthreads();
  unsigned mask = __ballot_sync(~0u, first + t < end);
  for (int i = first + t; i < end;) {
    atomicAdd(&total, in[i]);
    i += BLOCK;
    mask = __ballot_sync(mask, i < end);
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = total;
}
