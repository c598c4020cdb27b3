// SPDX-License-Identifier: Apache-2.0
// P = M + N, all m x n in row-major order.
__global__ void early_exit(const float* M, const float* N, float* P, int m, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m || col >= n) {
    return;
  }
  P[row * n + col] = M[row * n + col] + N[row * n + col];
}
