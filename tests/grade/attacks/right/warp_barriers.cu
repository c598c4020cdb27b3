__global__ void k(const float* in, float* out, int n) {
  __shared__ volatile float s[BLOCK + 32];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  s[t] = v;
  if (t < 32) s[BLOCK + t] = 0;
  __syncthreads();
  for (int d = BLOCK / 2; d >= 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    float x = s[t];
    for (int d = 16; d; d /= 2) {
      x += s[t + d];
      __syncwarp();
      s[t] = x;
      __syncwarp();
    }
    if (t == 0) out[blockIdx.x] = x;
  }
}
