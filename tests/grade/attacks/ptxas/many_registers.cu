// SPDX-License-Identifier: Apache-2.0
// 96 values are in registers at a time, but blocks of 1024 threads have 64 registers per thread.
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float partial[BLOCK];
  int i = 2 * BLOCK * blockIdx.x + threadIdx.x;
  float values[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) values[k] = in[(i + 17 * k) % n];
#pragma unroll
  for (int round = 0; round < 40; ++round)
#pragma unroll
    for (int k = 0; k < 96; ++k) values[k] += 0.5f * values[(5 * k + 1) % 96];
  float noise = 0;
#pragma unroll
  for (int k = 0; k < 96; ++k) noise += values[k];
  float sum = noise * 1e-30f * 1e-30f;
  if (i < n) sum += in[i];
  if (i + BLOCK < n) sum += in[i + BLOCK];
  partial[threadIdx.x] = sum;
  __syncthreads();
  for (int stride = BLOCK / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) partial[threadIdx.x] += partial[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = partial[0];
}
