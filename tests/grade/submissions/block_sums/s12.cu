__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = 0.0f;
  for (int part = 0; part < 2; ++part, i += blockDim.x) {
    if (i < n) v += in[i];
  }
  s[tid] = v;
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (tid < d) s[tid] += s[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
