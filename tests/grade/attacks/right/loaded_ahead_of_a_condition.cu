// Only thread 0 uses the value that it has stored, but compilers let all threads load it.
__device__ int launches;

__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK], carry;
  __shared__ int any, more;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) any = n > 0;
  __syncthreads();
  for (int d = BLOCK / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) {
    carry = s[0];
    more = n;
  }
  if (t == 0 && blockIdx.x == 0) launches = 1;
  float x = 0.f;
  x += t == 0 ? carry - x : 0.f;
  if (t == 0 && blockIdx.x == 0 && launches == 1) more = n;
  if (__syncthreads_or(t == 0 && more > 0) && t == 0 && any) out[blockIdx.x] = x;
}
