__global__ void k(const float* in, float* out, int n) {
  __shared__ float s;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  if (t == 0) s = 0;
  __syncthreads();
  float v = 0;
  if (i < n) {
    v = in[i];
    if (i + BLOCK < n) v += in[i + BLOCK];
  }
  unsigned m = __activemask();
  for (int d = 16; d; d /= 2) v += __shfl_xor_sync(m, v, d);
  if ((t & 31) == 0) atomicAdd(&s, v);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = s;
}
