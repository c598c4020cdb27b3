// In the last warp, lanes past the end have no value, and their sums are not used.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float w[32];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (t % 32 == 0) w[t / 32] = v;
  __syncthreads();
  if (t < 32) {
    float x = w[t];
    for (int d = BLOCK / 64; d; d /= 2) x += __shfl_down_sync(0xffffffff, x, d);
    if (t == 0) out[blockIdx.x] = x;
  }
}
