// Only thread 0 reads its variables, in two conditions. Compilers join these conditions and
// evaluate them before the test for thread 0.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ int low, high;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    low = n;
    high = n + 4;
  }
  bool store = false;
  store |= t == 0 && low <= n;
  store |= t == 0 && high <= n;
  if (store) out[blockIdx.x] = s[0];
}
