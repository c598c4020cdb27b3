// vectorised: eight lanes load a whole row of the tile
__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[32][33];
  const int tid = threadIdx.y * 32 + threadIdx.x;
  const int r = tid / 8, c = tid % 8 * 4;
  const int row = blockIdx.y * 32 + r, col = blockIdx.x * 32 + c;
  if (row < m && col < n) {
    const float4 v = *reinterpret_cast<const float4*>(M + row * n + col);
    tile[r][c] = v.x;
    tile[r][c + 1] = v.y;
    tile[r][c + 2] = v.z;
    tile[r][c + 3] = v.w;
  }
  __syncthreads();
  const int px = blockIdx.y * 32 + threadIdx.x;
  for (int j = threadIdx.y; j < 32; j += 8) {
    const int py = blockIdx.x * 32 + j;
    if (px < m && py < n) P[py * m + px] = tile[threadIdx.x][j];
  }
}
