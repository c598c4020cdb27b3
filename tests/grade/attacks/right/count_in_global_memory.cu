__device__ unsigned cnt[1 << 16];
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  s[t] = v;
  __threadfence_block();
  atomicAdd(&cnt[blockIdx.x], 1u);
  if (t == 0) {
    while (*(volatile unsigned*)&cnt[blockIdx.x] < BLOCK)
      ;
    __threadfence_block();
    float a = 0;
    for (int j = 0; j < BLOCK; j++) a += s[j];
    out[blockIdx.x] = a;
  }
}
