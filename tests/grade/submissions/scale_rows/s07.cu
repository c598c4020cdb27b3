__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  __shared__ int part[BLOCK];
  for (int first = 0; first < n; first += BLOCK) {
    const int c = first + threadIdx.x;
    if (c < n) part[BLOCK - 1 - threadIdx.x] = b[c];  // turned round, for no reason
    __syncthreads();
    const int width = min(BLOCK, n - first);
    for (int r = blockIdx.x; r < m; r += gridDim.x) {
      // another thread's slot: threads start at the row's other end
      for (int x = width - 1 - (int)threadIdx.x; x >= 0; x -= BLOCK) {
        const int i = r * n + first + x;
        Y[i] = a * X[i] + Y[i] + part[BLOCK - 1 - x];
      }
    }
    __syncthreads();
  }
}
