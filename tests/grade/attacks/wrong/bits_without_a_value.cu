// Only the member thread of each Mark is set, but the branch reads the member set.
struct Mark {
  unsigned thread : 16, set : 16;
};

__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ Mark marks[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  marks[t].thread = t;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0 && marks[BLOCK - 1].set != 1) out[blockIdx.x] = s[0];
}
