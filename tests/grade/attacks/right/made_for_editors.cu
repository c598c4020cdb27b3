// An editor that reads the file as C++ does not know CUDA's names, so the file defines them
// for the editor. Compilers for CUDA define __CUDACC__.
#ifndef __CUDACC__
#define __syncthreads()
#endif
__global__ void k(const float* in, float* out, int n) {
  __shared__ float s[BLOCK];
  __shared__ int left;
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  s[t] = (i < n ? in[i] : 0.f) + (i + BLOCK < n ? in[i + BLOCK] : 0.f);
  if (t == 0) left = BLOCK;
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
    if (t == 0) left = d - 1;
  }
  if (t == 0 && left == 0) out[blockIdx.x] = s[0];
}
