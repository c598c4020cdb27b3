__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  s[t] = v;
  __syncthreads();
  for (int d = BLOCK / 2; d >= 32; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t < 32) {
    for (int d = 16; d; d /= 2)
      if (t < d) atomicAdd(&s[t], atomicAdd(&s[t + d], 0.f));
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s[0];
}
