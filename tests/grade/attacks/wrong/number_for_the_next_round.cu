// Thread 0 replaces a number that the others may not have read yet. Only thread 0 uses the value that
// it read, and a later store, after a barrier, is correctly ordered.
__global__ void k(const float* in, float* out, int n) {
  __shared__ int number;
  __shared__ float s[BLOCK];
  int t = threadIdx.x;
  if (t == 0) number = blockIdx.x;
  __syncthreads();
  int block = number;
  if (t == 0) number = -1;
  __syncthreads();
  if (t == 0) number = BLOCK;
  __syncthreads();
  int width = number, i = blockIdx.x * 2 * width + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + width < n ? in[i + width] : 0.f);
  __syncthreads();
  for (int d = width / 2; d; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[block] = s[0];
}
