/*---
# SPDX-License-Identifier: Apache-2.0
title = "A filter at the edge"
entry = "edge_filter"
reference = "convolution"
sizes = { m = 64, n = 64 }

[exercise]
number = 23
symptom = "The result is right here. Still, threads along the edge of the matrix read memory that nothing has written, and on a GPU their elements of P may be wrong."
hints = [
  "Choose an element of P at the edge. Which of the slots that its thread read were never written?",
  "Cells next to the edge lie outside the matrix. What do they count as?",
  "The test keeps threads from reading what is not there. What do they leave in the slot then?",
]
fails = ["result"]
shown = { m = 6, n = 6, TILE_WIDTH = 4 }
hidden = [
  { m = 32, n = 32 },
  { m = 21, n = 33 },
  { m = 1, n = 1 },
  { m = 40, n = 9, TILE_WIDTH = 8 },
]

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of P's tile and of the block"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH + 2"
columns = "TILE_WIDTH + 2"
holds = "M"

[[operand]]
name = "M"
rows = "m"
columns = "n"

[[operand]]
name = "P"
rows = "m"
columns = "n"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"

[[operand]]
name = "F"
kind = "symbol"
rows = 3
columns = 3
---*/

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
