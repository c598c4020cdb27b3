// Only thread 0 reads the sum that it has stored, and only if its warp votes for it.
__global__ void k(const float* in, float* out, int n) {
  __shared__ float sum;
  int t = threadIdx.x, first = blockIdx.x * 2 * BLOCK;
  if (t >= 32) return;
  float a = 0;
  for (int j = first + t; j < first + 2 * BLOCK; j += 32)
    if (j < n) a += in[j];
  for (int d = 16; d; d /= 2) a += __shfl_xor_sync(~0u, a, d);
  if (t == 0) sum = a;
  bool isAsked = __any_sync(~0u, t == 3);
  float r = a - 1;
  if (t == 0) {
    r = a + 1;
    if (isAsked) r = sum;
  }
  r = __shfl_sync(~0u, r, 0);
  if (t == 4) out[blockIdx.x] = r;
}
