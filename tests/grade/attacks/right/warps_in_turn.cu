// each warp passes a running sum to the next warp by volatile flags with fences
__global__ void k(const float* in, float* out, int n) {
  __shared__ float run[33];
  __shared__ volatile int turn;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) {
    turn = 0;
    run[0] = 0;
  }
  __syncthreads();
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if ((t & 31) == 0) {
    int w = t / 32;
    while (turn != w)
      ;
    __threadfence_block();
    run[w + 1] = run[w] + v;
    __threadfence_block();
    turn = w + 1;
  }
  __syncthreads();
  if (t == 0) out[blockIdx.x] = run[BLOCK / 32];
}
