// SPDX-License-Identifier: Apache-2.0
// Counts how many elements of x leave the remainder 0, 1, ... 7 when divided by 8. Each block
// counts its elements in shared memory, and then adds what it counted to the bins.
__global__ void block_counts(const int* x, int* bins, int n) {
  __shared__ int counts[8];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  if (tid < 8) {
    counts[tid] = 0;
  }
  __syncthreads();

  if (i < n) {
    atomicAdd(&counts[x[i] % 8], 1);
  }
  __syncthreads();

  if (tid < 8) {
    atomicAdd(&bins[tid], counts[tid]);
  }
}
