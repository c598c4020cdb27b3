
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  s[t] = v;
  __syncthreads();
  switch (BLOCK) {
    case 1024:
      if (t < 512) s[t] += s[t + 512];
      __syncthreads();
      if (t < 256) s[t] += s[t + 256];
      __syncthreads();
      if (t < 128) s[t] += s[t + 128];
      __syncthreads();
      break;
    case 512:
      if (t < 256) s[t] += s[t + 256];
      __syncthreads();
      break;
    case 256:
      if (t < 128) s[t] += s[t + 128];
      __syncthreads();
  }
  for (int d = BLOCK > 64 ? 64 : BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
