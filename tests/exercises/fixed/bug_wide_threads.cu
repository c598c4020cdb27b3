// SPDX-License-Identifier: Apache-2.0
// P = M N, where M is m x k, N is k x n and P is m x n, in row-major order.
// A block of TILE_WIDTH x TILE_WIDTH threads computes COARSE * TILE_WIDTH columns of P, and each
// thread COARSE of them.
__global__ void wide_threads(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][COARSE * TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col0 = blockIdx.x * COARSE * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue[COARSE] = {};
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    for (int c = 0; c < COARSE; ++c) {
      int col = col0 + c * TILE_WIDTH;
      Nds[ty][c * TILE_WIDTH + tx] = j < k && col < n ? N[j * n + col] : 0.0f;
    }
    __syncthreads();

    for (int t = 0; t < TILE_WIDTH; ++t) {
      for (int c = 0; c < COARSE; ++c) {
        Pvalue[c] += Mds[ty][t] * Nds[t][c * TILE_WIDTH + tx];
      }
    }
    __syncthreads();
  }

  for (int c = 0; c < COARSE; ++c) {
    int col = col0 + c * TILE_WIDTH;
    if (row < m && col < n) {
      P[row * n + col] = Pvalue[c];
    }
  }
}
