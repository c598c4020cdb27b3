#include <cuda_pipeline.h>
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[2 * BLOCK];
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  for (int h = 0; h < 2; ++h) {
    if (i + h * BLOCK < n) __pipeline_memcpy_async(&s[tid + h * BLOCK], &in[i + h * BLOCK], 4);
    else s[tid + h * BLOCK] = 0;
  }
  __pipeline_commit();
  __syncthreads();
  for (int d = BLOCK; d > 0; d /= 2) {
    if (tid < d) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
