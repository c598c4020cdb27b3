__global__ void scale_rows(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int warp = (blockIdx.x * BLOCK + threadIdx.x) / 32, warps = gridDim.x * BLOCK / 32;
  for (int r = warp; r < m; r += warps) {
    for (unsigned char c = threadIdx.x % 32; c < n; c += 32) {
      const int i = r * n + c;
      Y[i] = a * X[i] + Y[i] + b[c];
    }
  }
}
