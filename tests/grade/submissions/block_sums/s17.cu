__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float total;
  int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
  float v = 0.0f;
  if (i < n) v += in[i];
  if (i + BLOCK < n) v += in[i + BLOCK];
  atomicAdd(&total, v);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
