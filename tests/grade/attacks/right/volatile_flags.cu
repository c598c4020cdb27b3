__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float w[32]; __shared__ volatile int ready[32];
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid, lane = tid & 31;
  if (tid < 32) ready[tid] = 0;
  __syncthreads();
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  if (lane == 0) { *(volatile float*)&w[tid / 32] = v; __threadfence_block(); ready[tid / 32] = 1; }
  if (tid == 0) { float s = 0; for (int j = 0; j < BLOCK / 32; ++j) { while (!ready[j]) ; __threadfence_block(); s += *(volatile float*)&w[j]; } out[blockIdx.x] = s; }
}
