// one warp a row
__global__ void warps(const int* X, const int* b, int* Y, int a, int m, int n) {
  const int lane = threadIdx.x % 32;
  const int warp = (blockIdx.x * BLOCK + threadIdx.x) / 32;
  const int warps = gridDim.x * (BLOCK / 32);
  for (int r = warp; r < m; r += warps) {       // the same for all lanes
    const int first = __shfl_sync(0xffffffffu, r * n, 0);
    for (int c = lane; c < n; c += 32) {
      Y[first + c] += a * X[first + c] + b[c];
    }
    __syncwarp();
  }
}
