__global__ void last_warp(const float* in, float* out, int n) {
  __shared__ volatile float sums[BLOCK];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * 2 * BLOCK + tid;
  sums[tid] = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  __syncthreads();
  for (int stride = BLOCK / 2; stride >= 32; stride /= 2) {
    if (tid < stride) sums[tid] = sums[tid] + sums[tid + stride];
    __syncthreads();
  }
  if (tid >= 32) return;
  float mine = sums[tid];
  for (int stride = 16; stride > 0; stride /= 2) {
    if (tid < stride) mine += sums[tid + stride];
    __syncwarp();
    sums[tid] = mine;
    __syncwarp();
  }
  if (tid == 0) out[blockIdx.x] = mine;
}
