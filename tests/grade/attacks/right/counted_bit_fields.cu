// A bit-field that is counted up and down while its neighbours have no value.
struct Count {
  unsigned count : 6, tag : 10;
  int rest : 16;
};

__global__ void k(const float* in, float* out, int n) {
  __shared__ Count counts[BLOCK];
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  counts[t].count = 0;
  float x = 0.f;
  for (int j = i; j < n && j < i + 2 * BLOCK; j += BLOCK) {
    x += in[j];
    counts[t].count++;
  }
  s[t] = counts[t].count > 0 ? x : 0.f;
  counts[t].count -= counts[t].count > 1 ? 1 : 0;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d && counts[t].count < 2) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
