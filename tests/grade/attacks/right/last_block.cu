__device__ float part[1 << 16];
__device__ unsigned cnt;
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ bool last;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  s[t] = v;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    if (blockIdx.x < (1 << 16))
      part[blockIdx.x] = s[0];
    else
      out[blockIdx.x] = s[0];
    __threadfence();
    last = atomicInc(&cnt, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (last) {
    __threadfence();
    for (int j = t; j < gridDim.x && j < (1 << 16); j += BLOCK) out[j] = ((volatile float*)part)[j];
  }
}
