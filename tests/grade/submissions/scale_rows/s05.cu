__global__ void carried(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int start = blockIdx.x * BLOCK + threadIdx.x, stride = gridDim.x * BLOCK;
  const int stepRows = stride / n, stepColumns = stride % n;
  int r = start / n, c = start % n;
  while (r < m) {
    const int i = r * n + c;
    Y[i] = a * X[i] + Y[i] + b[c];
    r += stepRows;
    c += stepColumns;
    if (c >= n) {
      c -= n;
      ++r;
    }
  }
}
