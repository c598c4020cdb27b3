__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ volatile int done;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  float v = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) done = 0;
  __syncthreads();
  s[t] = v;
  __threadfence_block();
  atomicAdd((int*)&done, 1);
  if (t == 0) {
    unsigned ns = 8;
    while (done < BLOCK) {
      __nanosleep(ns);
      if (ns < 256) ns *= 2;
    }
    __threadfence_block();
    float a = 0;
    for (int j = 0; j < BLOCK; j++) a += s[j];
    out[blockIdx.x] = a;
  }
}
