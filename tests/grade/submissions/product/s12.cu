__global__ void product(const float* __restrict__ M, const float* __restrict__ N, float* P, int m,
                        int n, int k) {
  __shared__ float s[2][TILE_WIDTH][TILE_WIDTH + 1];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * TILE_WIDTH + ty;
  const int col = blockIdx.x * TILE_WIDTH + tx;
  float sum = 0.0f;
  for (int p = 0; p < k; p += TILE_WIDTH) {
    s[0][ty][tx] = row < m && p + tx < k ? M[row * k + (p + tx)] : 0.0f;
    s[1][ty][tx] = col < n && p + ty < k ? N[(p + ty) * k + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) sum += s[0][ty][i] * s[1][i][tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = sum;
}
