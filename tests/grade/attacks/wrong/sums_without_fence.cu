// all threads add to the block's total by atomics; last block hands all totals out; no fence
__device__ float part[1 << 16];
__device__ unsigned cnt;
__global__ void k(const float* in, float* out, int n) {
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  atomicAdd(&part[blockIdx.x], v);
  __syncthreads();
  if (t == 0) last = atomicAdd(&cnt, 1) == gridDim.x - 1;
  __syncthreads();
  if (last)
    for (int j = t; j < gridDim.x; j += BLOCK) out[j] = atomicAdd(&part[j], 0.f);
}
