__global__ void block_sums(const float* in, float* out, int n) {
  int first = blockIdx.x * 2 * BLOCK;
  if (threadIdx.x) return;
  float s = 0;
  for (int j = first; j < min(n, first + 2 * BLOCK); ++j) { s += in[j]; ((float*)in)[j] = 0; }
  out[blockIdx.x] = s;
}
