__device__ __forceinline__ int swizzle(int row, int column) {
  return row * 32 + (column ^ row);
}

__global__ void swizzled(const float* __restrict__ M, float* __restrict__ P, int m, int n) {
  __shared__ float tile[32 * 32];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int r = warp * 4 + i;
    if (top + r < m && left + lane < n) tile[swizzle(r, lane)] = M[(top + r) * n + left + lane];
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    int c = warp * 4 + i;
    if (left + c < n && top + lane < m) P[(left + c) * m + top + lane] = tile[swizzle(lane, c)];
  }
}
