// The name that the task prescribes is a macro.
#define SUMS block_sums
__global__ void SUMS(const float* in, float* out, int n) {
  __shared__ float s[2 * BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = i < n ? in[i] : 0.0f;
  s[t + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0.0f;
  __syncthreads();
  for (int d = BLOCK; d >= 1; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
