__global__ void two_sets(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float tiles[2][2][TILE_WIDTH][TILE_WIDTH];  // [set][matrix][row][column]
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty, col = blockIdx.x * TILE_WIDTH + tx;
  float value = 0.0f;
  int set = 0;
  for (int first = 0; first < k; first += TILE_WIDTH) {
    tiles[set][0][ty][tx] = row < m && first + tx < k ? M[row * k + first + tx] : 0.0f;
    tiles[set][1][ty][tx] = first + ty < k && col < n ? N[(first + ty) * n + col] : 0.0f;
    __syncthreads();  // only one: the other set is free until the next one
    for (int i = 0; i < TILE_WIDTH; ++i) value += tiles[set][0][ty][i] * tiles[set][1][i][tx];
    set ^= 1;
  }
  if (row < m && col < n) P[row * n + col] = value;
}
