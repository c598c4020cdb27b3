// Halves are multiplied in pairs, and one half of a pair may have no value.
#include <cuda_fp16.h>

__global__ void k(const float* in, float* out, int n) {
  __shared__ half2 weights[BLOCK];
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  if (i < n) weights[t].x = __float2half(2.f);
  if (i + BLOCK < n) weights[t].y = __float2half(2.f);
  __syncthreads();
  half2 one = __hmul2(weights[t], __float2half2_rn(0.5f));
  float x = 0.f;
  if (i < n) x += in[i] * __low2float(one);
  if (i + BLOCK < n) x += in[i + BLOCK] * __high2float(one);
  s[t] = x;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
