__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  __shared__ int part[BLOCK];
  for (int first = 0; first < n; first += BLOCK) {
    const int c = first + (int)threadIdx.x;
    if (c < n) part[threadIdx.x] = b[c];
    __syncthreads();
    const int width = min(BLOCK, n - first);
    const int x = width - 1 - (int)threadIdx.x;  // the last column first
    for (int r = blockIdx.x; r < m && x >= 0; r += gridDim.x) {
      const int i = r * n + first + x;
      Y[i] = a * X[i] + Y[i] + part[x];
    }
  }
}
