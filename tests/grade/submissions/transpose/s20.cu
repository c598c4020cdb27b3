__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[32][33];
  int row = blockIdx.y * 32 + threadIdx.y;
  int col = blockIdx.x * 32 + threadIdx.x;
  tile[threadIdx.y][threadIdx.x] = row < m && col < n ? M[row * n + col] : 0.0f;
  __syncthreads();
  // This thread stores what it has loaded.
  if (row < m && col < n) P[col * m + row] = tile[threadIdx.y][threadIdx.x];
}
