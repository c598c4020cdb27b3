__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int tid = threadIdx.x;
  int i = blockIdx.x * 2 * BLOCK + tid;
  s[tid] = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  __syncthreads();
  int stride = BLOCK / 2;
  while (stride > 0) {
    if (tid < stride) {
      s[tid] += s[tid + stride];
      stride /= 2;
    }
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = s[0];
}
