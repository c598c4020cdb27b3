__device__ volatile int flag[1 << 22];
__global__ void k(const float* in, float* out, int n) {
  int t = threadIdx.x;
  int b = blockIdx.x;
  if (t == 0) {
    float a = 0;
    for (int i = b * 2 * BLOCK; i < n && i < (b + 1) * 2 * BLOCK; i++) a += in[i];
    if (b + 1 < gridDim.x)
      while (!flag[b + 1])
        ;
    out[b] = a;
    __threadfence();
    flag[b] = 1;
  }
}
