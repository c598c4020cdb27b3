// SPDX-License-Identifier: Apache-2.0
// out[b] is the sum of the BLOCK elements of block b. One warp adds the last 64 sums. The array is
// volatile, which orders nothing between threads.
__global__ void volatile_sum(const float* in, float* out, int n) {
  __shared__ volatile float sums[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * BLOCK + tid;
  sums[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();

  for (int stride = BLOCK / 2; stride > 32; stride /= 2) {
    if (tid < stride) {
      sums[tid] = sums[tid] + sums[tid + stride];
    }
    __syncthreads();
  }

  if (tid < 32) {
    float sum = sums[tid];
    sum = sum + sums[tid + 32];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
    sum = sum + sums[tid + 16];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
    sum = sum + sums[tid + 8];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
    sum = sum + sums[tid + 4];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
    sum = sum + sums[tid + 2];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
    sum = sum + sums[tid + 1];
    __syncwarp();
    sums[tid] = sum;
    __syncwarp();
  }

  if (tid == 0) {
    out[blockIdx.x] = sums[0];
  }
}
