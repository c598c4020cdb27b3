// SPDX-License-Identifier: Apache-2.0
// A shuffle without a mask, which GPUs since Volta do not support.
__device__ float fromBelow(float value, int distance) {
  float result;
  asm volatile("shfl.down.b32 %0, %1, %2, 31;" : "=f"(result) : "f"(value), "r"(distance));
  return result;
}

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK / 32];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  float sum = (i < n ? in[i] : 0) + (i + BLOCK < n ? in[i + BLOCK] : 0);
  for (int distance = 16; distance > 0; distance /= 2) sum += fromBelow(sum, distance);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  sum = 0;
  for (int warp = 0; warp < BLOCK / 32; ++warp) sum += partial[warp];
  out[blockIdx.x] = sum;
}
