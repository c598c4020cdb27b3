__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x, b = blockIdx.x * 2 * BLOCK;
  auto g = [=](auto j) { return b + j < n ? in[b + j] : 0.f; };
  s[t] = g(t) + g(t + BLOCK);
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
