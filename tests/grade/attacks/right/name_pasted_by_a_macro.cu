// The preprocessor pastes the function's name together.
#define JOINED(a, b) a##b
#define KERNEL(a, b) JOINED(a, b)
__global__ void KERNEL(block_, sums)(const float* in, float* out, int n) {
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
