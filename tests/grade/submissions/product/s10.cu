__global__ void tiled(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  const int phases = k / TILE_WIDTH;
  float Pvalue = 0;
  for (int ph = 0; ph < phases; ++ph) {
    Mds[ty][tx] = row < m ? M[row * k + ph * TILE_WIDTH + tx] : 0.0f;
    Nds[ty][tx] = col < n ? N[(ph * TILE_WIDTH + ty) * n + col] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = Pvalue;
}
