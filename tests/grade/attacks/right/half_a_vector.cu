__global__ void k(const float* in, float* out, int n) {
  __shared__ float2 s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  float2 p;
  p.x = v;
  s[t] = p;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) {
      float2 a = s[t], b = s[t + d];
      a.x += b.x;
      s[t] = a;
    }
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0].x;
}
