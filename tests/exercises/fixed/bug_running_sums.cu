// SPDX-License-Identifier: Apache-2.0
// out[i] is the sum of the elements of in from the first one of i's block up to i.
// In the round with stride s, each slot from s on gets the slot s before it added.
__global__ void running_sums(const int* in, int* out, int n) {
  __shared__ int sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;

  sums[tid] = i < n ? in[i] : 0;
  __syncthreads();

  for (int stride = 1; stride < BLOCK; stride *= 2) {
    int before = tid >= stride ? sums[tid - stride] : 0;
    __syncthreads();
    sums[tid] += before;
    __syncthreads();
  }

  if (i < n) {
    out[i] = sums[tid];
  }
}
