#include <cuda_fp16.h>

__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ half s[BLOCK];  // half the shared memory
  int tid = threadIdx.x;
  int i = blockIdx.x * 2 * BLOCK + tid;
  float v = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  s[tid] = __float2half(v);
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (tid < d) s[tid] = __float2half(__half2float(s[tid]) + __half2float(s[tid + d]));
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = __half2float(s[0]);
}
