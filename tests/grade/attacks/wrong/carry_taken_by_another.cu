// The carry is read by another thread than the one that stored it.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK], carry;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) carry = s[0];
  float x = 0.f;
  x += t == 1 ? carry - x : 0.f;
  if (t == 1) out[blockIdx.x] = x;
}
