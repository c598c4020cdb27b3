__device__ __noinline__ float add(float a, float x) { return a + x; }
__global__ void block_sums(const float* in, float* out, int n) {
  int first = blockIdx.x * 2 * BLOCK;
  if (threadIdx.x) return;
  float acc;
  for (int i = first; i < min(n, first + 2 * BLOCK); ++i) acc = add(acc, in[i]);
  out[blockIdx.x] = acc;
}
