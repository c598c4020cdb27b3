__device__ unsigned g;
__device__ void sync() { __threadfence(); atomicAdd(&g, 1); }
__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  s[tid] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (tid < d) s[tid] += s[tid + d];
    if (d > 32) __syncthreads(); else if (tid < 32) sync();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
