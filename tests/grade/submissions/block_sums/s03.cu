__device__ float warpSum(float v) {
#pragma unroll
  for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset);
  return v;
}

__global__ void shuffled(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float perWarp[32];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  const int first = blockIdx.x * BLOCK * 2;
  float v = 0.0f;
  for (int i = first + threadIdx.x; i < min(n, first + 2 * BLOCK); i += BLOCK) v += in[i];
  v = warpSum(v);
  if (lane == 0) perWarp[warp] = v;
  __syncthreads();
  if (warp != 0) return;  // whole warps, after the last barrier
  v = warpSum(lane < BLOCK / 32 ? perWarp[lane] : 0.0f);
  if (lane == 0) out[blockIdx.x] = v;
}
