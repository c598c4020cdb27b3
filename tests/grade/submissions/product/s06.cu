__global__ void product(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty][tx] = j < k ? N[j * n + col] : 0.0f;
    __syncthreads();
    for (int t = 0; t < TILE_WIDTH; ++t) Pvalue += Mds[ty][t] * Nds[t][tx];
    __syncthreads();
  }
  // Only threads with an element of P store.
  if (row < m && col < n) P[row * n + col] = Pvalue;
}
