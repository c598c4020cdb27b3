__global__ void block_sums(const float* in, float* out, int n) {
  // the last warp counts behind a fence, and nobody waits for the count
  __shared__ float s[BLOCK]; __shared__ int f;
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  s[tid] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (tid == 0) f = 0;
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (tid < d) s[tid] += s[tid + d];
    if (d > 32) __syncthreads(); else if (tid < 32) { __threadfence_block(); atomicAdd(&f, 1); }
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
