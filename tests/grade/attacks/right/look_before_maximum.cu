// usual filter: look first, and update only if needed (a stale look is harmless) -- counts live
// warps
__global__ void k(const float* in, float* out, int n) {
  __shared__ int m;
  __shared__ float s[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) m = -1;
  __syncthreads();
  s[t] = v;
  if (*(volatile int*)&m < t) atomicMax(&m, t);
  __syncthreads();
  if (t == 0) {
    float a = 0;
    for (int j = 0; j <= m; j++) a += s[j];
    out[blockIdx.x] = a;
  }
}
