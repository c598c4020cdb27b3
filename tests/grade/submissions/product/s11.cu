__global__ void matrix_product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    int i = ph * TILE_WIDTH;
    Mds[ty][tx] = (row < m && i + tx < k) ? M[row * k + i + tx] : 0.0f;
    Nds[ty][tx] = (i + ty < k && col < n) ? N[(i + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int j = 0; j < TILE_WIDTH; ++j) Pvalue += Mds[ty][j] * Nds[j][tx];
  }
  if (row < m && col < n) P[row * n + col] = Pvalue;
}
