__global__ void transpose(const float* __restrict__ M, float* __restrict__ P, int m, int n) {
  __shared__ float tile[32][33];
  int tx = threadIdx.x, ty = threadIdx.y;
  int col = blockIdx.x * 32 + tx;
  int row = blockIdx.y * 32 + ty;
  if (row < m && col < n) {
    for (int j = 0; j < 32; j += 8) {
      tile[ty + j][tx] = M[(row + j) * n + col];
    }
  }
  __syncthreads();
  int pcol = blockIdx.y * 32 + tx;
  int prow = blockIdx.x * 32 + ty;
  for (int j = 0; j < 32; j += 8) {
    if (pcol < m && prow + j < n) P[(prow + j) * m + pcol] = tile[tx][ty + j];
  }
}
