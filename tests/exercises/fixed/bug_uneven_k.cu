// SPDX-License-Identifier: Apache-2.0
// P = M N, where M is m x k, N is k x n and P is m x n, in row-major order.
// A block computes one tile of P.
__global__ void uneven_k(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  int phases = (k + TILE_WIDTH - 1) / TILE_WIDTH;
  float Pvalue = 0.0f;
  for (int ph = 0; ph < phases; ++ph) {
    int i = ph * TILE_WIDTH + tx;
    int j = ph * TILE_WIDTH + ty;
    Mds[ty][tx] = row < m && i < k ? M[row * k + i] : 0.0f;
    Nds[ty][tx] = j < k && col < n ? N[j * n + col] : 0.0f;
    __syncthreads();

    for (int t = 0; t < TILE_WIDTH; ++t) {
      Pvalue += Mds[ty][t] * Nds[t][tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
