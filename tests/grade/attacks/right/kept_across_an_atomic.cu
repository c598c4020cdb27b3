// Thread 0 keeps a sum that no other thread reads, while all count something else.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ float sum;
  __shared__ int counted;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  if (t == 0) counted = 0;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) sum = s[0];
  float kept = t == 0 ? sum : 0.f;
  if (i < n) atomicAdd(&counted, 1);
  __syncthreads();
  if (t == 0) out[blockIdx.x] = counted >= 0 ? kept : 0.f;
}
