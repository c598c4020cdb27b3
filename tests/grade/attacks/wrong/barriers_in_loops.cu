__global__ void block_sums(const float* in, float* out, int n) {
  // __syncthreads in a loop whose count differs by thread; all of them meet somewhere
  __shared__ float w[BLOCK];
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  w[tid] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  __syncthreads();
  float s = 0;
  if (tid == 0) { for (int j = 0; j < BLOCK; ++j) s += w[j]; __syncthreads(); }
  else if (tid < 7) { for (int j = 0; j < 1; ++j) asm volatile("bar.sync 0;"); }
  else asm volatile("bar.sync 0;//x");
  if (tid == 0) out[blockIdx.x] = s;
}
