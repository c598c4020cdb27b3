__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int threads = gridDim.x * BLOCK;
  const int piece = (m * n + threads - 1) / threads;
  const int begin = (blockIdx.x * BLOCK + threadIdx.x) * piece;
  if (begin >= m * n) return;
  for (int i = begin; i < begin + piece; ++i) {
    Y[i] = a * X[i] + Y[i] + b[i % n];
  }
}
