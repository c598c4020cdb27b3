__global__ void turn(const float* M, float* P, const int m, const int n) {
  __shared__ float turned[32][33];
  const int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * 32 + ty;
  const int col = blockIdx.x * 32 + tx;
  const float* from = M + row * n + col;
  for (int i = ty; i < 32; i += 8, row += 8, from += 8 * n) {
    if (row < m && col < n) turned[tx][i] = *from;
  }
  __syncthreads();
  const int prow = blockIdx.x * 32 + ty, pcol = blockIdx.y * 32 + tx;
  float* to = P + prow * m + pcol;
  for (int i = 0; i < 4; ++i, to += 8 * m) {
    if (prow + 8 * i < n && pcol < m) *to = turned[ty + 8 * i][tx];
  }
}
