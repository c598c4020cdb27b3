__global__ void downwards(const int* X, const int* b, int* Y, int a, unsigned m, unsigned n) {
  const unsigned total = m * n;
  const unsigned stride = gridDim.x * blockDim.x;
  // total - 1 - thread wraps for threads without an element, and so does i - stride at the end.
  for (unsigned i = total - 1u - (blockIdx.x * blockDim.x + threadIdx.x); i < total; i -= stride) {
    Y[i] += a * X[i] + b[i % n];
  }
}
