#define TILE 32
#define ROWS 8
__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) {
    if (x < n && y + j < m) tile[threadIdx.y + j][threadIdx.x] = M[(y + j) * n + x];
  }
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += ROWS) {
    if (x < n && y + j < m) P[(y + j) * m + x] = tile[threadIdx.x][threadIdx.y + j];
  }
}
