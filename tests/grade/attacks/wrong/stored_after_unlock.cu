__global__ void block_sums(const float* in, float* out, int n) {
  // a right lock, but the value is released before it is written
  __shared__ float total; __shared__ int l;
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  if (tid == 0) total = 0, l = 0;
  __syncthreads();
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (tid % 32 == 0) { while (atomicCAS(&l, 0, 1)) ; float t = total + v; __threadfence_block(); atomicExch(&l, 0); total = t; __threadfence_block(); atomicExch(&l, 0); }
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = total;
}
