__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x;
  int y = blockIdx.y * 32 + threadIdx.y;
  if (x < n) {
    for (int j = 0; j < 32; j += 8) {
      if (y + j < m) tile[threadIdx.y + j][threadIdx.x] = M[(y + j) * n + x];
    }
    __syncthreads();
  }
  int px = blockIdx.y * 32 + threadIdx.x;
  int py = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (px < m && py + j < n) P[(py + j) * m + px] = tile[threadIdx.x][threadIdx.y + j];
  }
}
