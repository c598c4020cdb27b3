__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ volatile float strips[8][4][33];
  const int lane = threadIdx.x, warp = threadIdx.y;
  const int top = blockIdx.y * 32 + warp * 4, left = blockIdx.x * 32;
  for (int r = 0; r < 4; ++r) {
    strips[warp][r][lane] = top + r < m && left + lane < n ? M[(top + r) * n + left + lane] : 0.0f;
  }
  // The 32 lanes of a warp run in step, so there is no need to wait.
  for (int i = 0; i < 4; ++i) {
    int prow = i * 8 + lane / 4, pcol = lane % 4;
    if (left + prow < n && top + pcol < m) {
      P[(left + prow) * m + top + pcol] = strips[warp][pcol][prow];
    }
  }
}
