// SPDX-License-Identifier: Apache-2.0
// P = M N, where M is m x k, N is k x n and P is m x n, in row-major order.
__global__ void plain_product(const float* M, const float* N, float* P, int m, int n, int k) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < k; ++i) {
      Pvalue += M[row * k + i] * N[i * n + col];
    }
    P[row * n + col] = Pvalue;
  }
}
