// An inclusive scan by shuffles, whose first warp scans the warps' sums in place. A block of
// one warp has one such sum, which compilers load in all lanes, although lane 0 alone uses it.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float sums[32];
  int t = threadIdx.x, lane = t & 31, w = t >> 5;
  int i = blockIdx.x * 2 * BLOCK + t;
  float x = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 1; d < 32; d <<= 1) {
    float y = __shfl_up_sync(~0u, x, d);
    if (lane >= d) x += y;
  }
  if (lane == 31) sums[w] = x;
  __syncthreads();
  if (w == 0) {
    float y = 0.f;
    if (lane < BLOCK / 32) y = sums[lane];
    for (int d = 1; d < 32; d *= 2) {
      float z = __shfl_up_sync(~0u, y, d);
      if (lane >= d) y += z;
    }
    if (lane < BLOCK / 32) sums[lane] = y;
  }
  __syncthreads();
  if (w > 0) x += sums[w - 1];
  if (t == BLOCK - 1) out[blockIdx.x] = x;
}
