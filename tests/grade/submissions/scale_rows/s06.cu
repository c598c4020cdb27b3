__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  int rows = m / gridDim.x;
  if (rows == 0) rows = 1;
  for (int j = 0; j < rows; ++j) {
    int r = blockIdx.x * rows + j;
    if (r >= m) break;
    for (int c = threadIdx.x; c < n; c += BLOCK) {
      Y[r * n + c] = a * X[r * n + c] + Y[r * n + c] + b[c];
    }
  }
}
