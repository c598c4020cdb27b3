__device__ unsigned ticket;
__global__ void block_sums(const float* in, float* out, int n) {
  // two blocks may get the same ticket: it is a volatile read and then a volatile write
  __shared__ int t;
  if (threadIdx.x == 0) { t = *(volatile unsigned*)&ticket; *(volatile unsigned*)&ticket = t + 1; }
  __syncthreads();
  int tid = threadIdx.x, first = t * 2 * BLOCK;
  if (tid == 0) { float s = 0; for (int j = first; j < min(n, first + 2 * BLOCK); ++j) s += in[j]; out[t] = s; }
}
