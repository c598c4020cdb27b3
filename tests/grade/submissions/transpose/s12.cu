// uses less shared memory: 8 rows at a time
__global__ void strips(const float* M, float* P, int m, int n) {
  __shared__ volatile float strip[8][33];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int left = blockIdx.x * 32;
  for (int s = 0; s < 4; ++s) {
    const int top = blockIdx.y * 32 + s * 8;
    const int row = top + threadIdx.y, col = left + threadIdx.x;
    strip[threadIdx.y][threadIdx.x] = row < m && col < n ? M[row * n + col] : 0.0f;
    __syncthreads();
    const int prow = left + tid / 8, pcol = top + tid % 8;
    if (prow < n && pcol < m) P[prow * m + pcol] = strip[tid % 8][tid / 8];
    __syncthreads();
  }
}
