__global__ void block_sums(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  float a = i < n ? in[i] : 0.f, b = i + BLOCK < n ? in[i + BLOCK] : 0.f;
  if (tid % 2 == 0) { s[tid] = a + b; __syncthreads(); if (tid == 0) { float t = 0; for (int j = 0; j < BLOCK; ++j) t += s[j]; out[blockIdx.x] = t; } }
  else { s[tid] = b + a; __syncthreads(); s[tid] = s[tid]; }
}
