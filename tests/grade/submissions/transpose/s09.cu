// every warp works alone: 4 rows of M become 4 columns of P
__global__ void by_warps(const float* M, float* P, int m, int n) {
  __shared__ float strips[8][4][33];
  float(*mine)[33] = strips[threadIdx.y];
  const int lane = threadIdx.x;
  const int top = blockIdx.y * 32 + threadIdx.y * 4, left = blockIdx.x * 32;
  for (int r = 0; r < 4; ++r) {
    mine[r][lane] = (top + r < m && left + lane < n) ? M[(top + r) * n + left + lane] : 0.0f;
  }
  __syncwarp();
  for (int i = 0; i < 4; ++i) {
    int prow = i * 8 + lane / 4;
    int pcol = lane % 4;
    if (left + prow < n && top + pcol < m) P[(left + prow) * m + top + pcol] = mine[pcol][prow];
  }
}
