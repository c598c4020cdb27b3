__global__ void prefetch(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  const float* fromM = M + row * k;
  float nextM = row < m && tx < k ? fromM[tx] : 0.0f;
  float nextN = col < n && ty < k ? N[ty * n + col] : 0.0f;
  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE_WIDTH) {
    Mds[ty][tx] = nextM;
    Nds[ty][tx] = nextN;
    __syncthreads();
    int i = base + TILE_WIDTH + tx, j = base + TILE_WIDTH + ty;
    nextM = 0.0f;
    nextN = 0.0f;
    if (row < m && i < k) nextM = fromM[i];
    if (col < n && j < k) nextN = N[j * n + col];
    for (int t = TILE_WIDTH - 1; t >= 0; --t) sum += Mds[ty][t] * Nds[t][tx];
    __syncthreads();
  }
  if (row < m && col < n) P[row * n + col] = sum;
}
