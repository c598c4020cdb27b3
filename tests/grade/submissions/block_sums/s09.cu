__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float sums[32];
  int tid = threadIdx.x, lane = tid % 32;
  int i = blockIdx.x * 2 * BLOCK + tid;
  float v = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffff, v, d);
  if (lane == 0) sums[tid / 32] = v;
  __syncthreads();
  if (tid < BLOCK / 32) {
    float w = sums[tid];
    for (int d = 16; d > 0; d /= 2) w += __shfl_down_sync(0xffffffff, w, d);
    sums[tid] = w;
  }
  __syncthreads();
  if (tid == 0) out[blockIdx.x] = sums[0];
}
