__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float tile[32][32];
  int tx = threadIdx.x;
  int left = blockIdx.x * 32, top = blockIdx.y * 32;
  for (int r = threadIdx.y; r < 32; r += 8) {
    if (top + r < m && left + tx < n) tile[r][tx] = M[(top + r) * n + left + tx];
    else tile[r][tx] = 0.0f;
  }
  __syncthreads();
  for (int r = threadIdx.y; r < 32; r += 8) {
    int prow = top + r, pcol = left + tx;
    if (prow < n && pcol < m) P[prow * m + pcol] = tile[tx][r];
  }
}
