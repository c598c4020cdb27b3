__device__ volatile int turn;
__global__ void block_sums(const float* in, float* out, int n) {
  // each block waits for the one before it, which GPUs have started by then
  int first = blockIdx.x * 2 * BLOCK;
  if (threadIdx.x) return;
  while (turn != blockIdx.x) ;
  __threadfence();
  float s = 0;
  for (int j = first; j < min(n, first + 2 * BLOCK); ++j) s += in[j];
  out[blockIdx.x] = s;
  __threadfence();
  turn = blockIdx.x + 1;
}
