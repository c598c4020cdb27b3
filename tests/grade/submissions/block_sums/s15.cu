__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ volatile float s[BLOCK + 32];
  int tid = threadIdx.x;
  int i = blockIdx.x * 2 * BLOCK + tid;
  s[tid] = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  if (tid < 32) s[BLOCK + tid] = 0.0f;
  __syncthreads();
  for (int d = BLOCK / 2; d > 32; d /= 2) {
    if (tid < d) s[tid] = s[tid] + s[tid + d];
    __syncthreads();
  }
  if (tid < 32) {
    s[tid] = s[tid] + s[tid + 32];
    s[tid] = s[tid] + s[tid + 16];
    s[tid] = s[tid] + s[tid + 8];
    s[tid] = s[tid] + s[tid + 4];
    s[tid] = s[tid] + s[tid + 2];
    s[tid] = s[tid] + s[tid + 1];
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
