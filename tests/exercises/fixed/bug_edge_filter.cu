// SPDX-License-Identifier: Apache-2.0
#define HALO_TILE (TILE_WIDTH + 2)

__constant__ float F[3][3];

// Each element of P is the sum of the nine elements of M around it, each times its element of F,
// where what lies outside M counts as 0. M and P are m x n, in row-major order.
// Slot [i][j] of the tile is for the element i - 1 rows below and j - 1 columns right of the
// block's first one.
__global__ void edge_filter(const float* M, float* P, int m, int n) {
  __shared__ float Mds[HALO_TILE][HALO_TILE];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row0 = blockIdx.y * TILE_WIDTH;
  int col0 = blockIdx.x * TILE_WIDTH;

  for (int i = ty; i < HALO_TILE; i += TILE_WIDTH) {
    for (int j = tx; j < HALO_TILE; j += TILE_WIDTH) {
      int Mrow = row0 + i - 1;
      int Mcol = col0 + j - 1;
      if (Mrow >= 0 && Mrow < m && Mcol >= 0 && Mcol < n) {
        Mds[i][j] = M[Mrow * n + Mcol];
      } else {
        Mds[i][j] = 0.0f;
      }
    }
  }
  __syncthreads();

  int row = row0 + ty;
  int col = col0 + tx;
  if (row < m && col < n) {
    float Pvalue = 0.0f;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        Pvalue += F[i][j] * Mds[ty + i][tx + j];
      }
    }
    P[row * n + col] = Pvalue;
  }
}
