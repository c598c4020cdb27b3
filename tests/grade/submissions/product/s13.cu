__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    Nds[ty][tx] =
        ph * TILE_WIDTH + ty < k && col < n ? N[(ph * TILE_WIDTH + ty) * n + col] : 0.0f;
    if (ph * TILE_WIDTH + tx < k) {
      Mds[ty][tx] = row < m ? M[row * k + ph * TILE_WIDTH + tx] : 0.0f;
      __syncthreads();
    } else {
      Mds[ty][tx] = 0.0f;
    }
    for (int i = 0; i < TILE_WIDTH; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = Pvalue;
}
