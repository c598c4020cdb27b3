__device__ float g[1 << 12];
__global__ void block_sums(const float* in, float* out, int n) {
  // lost updates with volatile global accesses
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  volatile float* t = g + blockIdx.x;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (tid % 32 == 0) { __threadfence(); *t = *t + v; __threadfence(); }
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = *t;
}
