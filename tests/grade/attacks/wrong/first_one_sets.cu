__global__ void block_sums(const float* in, float* out, int n) {
  // the first warp that comes sets the total, the others add: with atomics that do not exclude each other
  __shared__ float total; __shared__ int came;
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  if (tid == 0) { came = 0; total = 12345; }
  __syncthreads();
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (tid % 32 == 0) { if (atomicAdd(&came, 1) == 0) atomicExch(&total, v); else atomicAdd(&total, v); }
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = total;
}
