__global__ void atomically(const float* in, float* out, int n) {
  __shared__ float total;
  if (threadIdx.x == BLOCK - 1) total = 0.0f;
  __syncthreads();
  const long long i = (long long)blockIdx.x * 2 * BLOCK + 2 * threadIdx.x;
  // neighbours: 2t and 2t + 1
  if (i + 1 < n) atomicAdd(&total, in[i] + in[i + 1]);
  else if (i < n) atomicAdd(&total, in[i]);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}
