__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int x = blockIdx.x * 32 + tx, px = blockIdx.y * 32 + tx;
  for (int j = ty; j < 32; j += 8) {
    const int y = blockIdx.y * 32 + j;
    if (x < n && y < m) tile[j][tx] = M[y * n + x];
  }
  __threadfence_block();
  for (int j = ty; j < 32; j += 8) {
    const int py = blockIdx.x * 32 + j;
    if (px < m && py < n) P[py * m + px] = tile[tx][j];
  }
}
