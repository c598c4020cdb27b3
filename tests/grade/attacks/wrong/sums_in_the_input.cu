__global__ void block_sums(const float* in_, float* out, int n) {
  float* in = const_cast<float*>(in_);
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  for (int d = BLOCK; d > 0; d /= 2) {
    if (tid < d && i + d < n) in[i] += in[i + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = in[i];
}
