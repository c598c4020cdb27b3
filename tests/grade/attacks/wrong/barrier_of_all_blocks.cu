__device__ unsigned cnt;
__global__ void k(const float* in, float* out, int n) {
  int t = threadIdx.x;
  int b = blockIdx.x;
  if (t == 0) {
    atomicAdd(&cnt, 1);
    while (atomicAdd(&cnt, 0) < gridDim.x)
      ;
    float a = 0;
    for (int i = b * 2 * BLOCK; i < n && i < (b + 1) * 2 * BLOCK; i++) a += in[i];
    out[b] = a;
  }
}
