__global__ void blocks_take_rows(const int* __restrict__ X, const int* __restrict__ b,
                                 int* __restrict__ Y, const int a, const int m, const int n) {
  for (int r = blockIdx.x; r < m; r += gridDim.x) {
    const int* x = X + r * n;
    int* y = Y + r * n;
    for (int c = threadIdx.x; c < n; c += blockDim.x) y[c] += a * x[c] + b[c];
  }
}
