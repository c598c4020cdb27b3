// SPDX-License-Identifier: Apache-2.0
// A thread adds all values by recursive halving, with only a few nested calls.
__device__ float sumOf(const float* values, int count) {
  if (count == 1) return values[0];
  return sumOf(values, count / 2) + sumOf(values + count / 2, count - count / 2);
}

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float values[2 * BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  values[threadIdx.x] = i < n ? in[i] : 0;
  values[threadIdx.x + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0;
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sumOf(values, 2 * BLOCK);
}
