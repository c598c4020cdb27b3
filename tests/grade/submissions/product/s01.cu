struct Tiles {
  float m[TILE_WIDTH][TILE_WIDTH + 1];
  float n[TILE_WIDTH][TILE_WIDTH + 1];
};

__global__ void careful(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ Tiles t;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + y;
  int col = blockIdx.x * TILE_WIDTH + x;
  bool inside = row < m && col < n;
  float sum = 0.0f, lost = 0.0f;
  for (int first = 0; first < k; first += TILE_WIDTH) {
    int terms = min(TILE_WIDTH, k - first);
    if (row < m && x < terms) t.m[y][x] = M[row * k + first + x];
    if (col < n && y < terms) t.n[y][x] = N[(first + y) * n + col];
    __syncthreads();
    if (inside) {
      for (int i = 0; i < terms; ++i) {  // Kahan
        float term = t.m[y][i] * t.n[i][x] - lost;
        float next = sum + term;
        lost = (next - sum) - term;
        sum = next;
      }
    }
    __syncthreads();
  }
  if (inside) P[row * n + col] = sum;
}
