__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float total;
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  if (tid == 0) total = 0;
  __syncthreads();
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (tid % 32 == 0) { float old = atomicAdd(&total, 0.f); atomicExch(&total, old + v); }
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = total;
}
