__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  Mds[ty][tx] = 0.0f;
  Nds[ty][tx] = 0.0f;

  float Pvalue = 0.0f;
  for (int ph = 0; ph * TILE_WIDTH < k; ++ph) {
    // Threads outside have nothing to load; their slots are zero from above.
    if (row < m && ph * TILE_WIDTH + tx < k) Mds[ty][tx] = M[row * k + ph * TILE_WIDTH + tx];
    if (ph * TILE_WIDTH + ty < k && col < n) Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * n + col];
    __syncthreads();
    for (int i = 0; i < TILE_WIDTH; ++i) Pvalue += Mds[ty][i] * Nds[i][tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = Pvalue;
}
