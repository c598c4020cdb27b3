// Only some bytes of each word are written. The whole word is read, but only those bytes are used.
__global__ void k(const float* in, float* out, int n) {
  __shared__ union {
    unsigned char bytes[BLOCK + 8];
    unsigned words[BLOCK / 4 + 2];
  } u;
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  u.bytes[t] = (unsigned char)t;
  __syncthreads();
  unsigned low = u.words[t / 4], high = u.words[t / 4 + 1];
  unsigned taken = __byte_perm(low, high, 0x4440 + t % 4) & 0xff;
  unsigned shifted = __funnelshift_r(low, high, 8 * (t % 4)) & 0xff;
  bool good = taken == t % 256 && shifted == t % 256;
  s[t] = good ? (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f) : 7.f;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
