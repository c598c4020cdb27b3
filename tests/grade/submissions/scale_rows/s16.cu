__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, long long n) {
  const long long total = m * n;
  for (long long i = blockIdx.x * BLOCK + threadIdx.x; i < total; i += gridDim.x * BLOCK) {
    Y[i] = a * X[i] + Y[i] + b[i % n];
  }
}
