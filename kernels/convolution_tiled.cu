/*---
# SPDX-License-Identifier: Apache-2.0
title = "Convolution, tiled with halo"
summary = "The block loads its tile of M and the halo, the RADIUS cells around it that its neighbours compute, into shared memory. Then every thread reads from there what its element of P needs."
reference = "convolution"
operations = "2 * (m + min(RADIUS, m) * (2 * m - 1 - min(RADIUS, m))) * (n + min(RADIUS, n) * (2 * n - 1 - min(RADIUS, n)))"
sizes = { m = 1024, n = 1024 }
rules = [
  { expr = "m * n < 2^31 - 1024", say = "a matrix has {m * n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.RADIUS]
default = 1
range = [1, 5]
title = "how far the filter reaches to each side"

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of P's tile and of the block"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH + 2 * RADIUS"
columns = "TILE_WIDTH + 2 * RADIUS"
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
rows = "2 * RADIUS + 1"
columns = "2 * RADIUS + 1"
---*/

#define WIDTH (2 * RADIUS + 1)
#define HALO_TILE (TILE_WIDTH + 2 * RADIUS)

// All lanes of a warp read the same element of F, which constant memory answers in one access.
__constant__ float F[WIDTH][WIDTH];

// P[row][col] is the sum of F[i][j] * M[row + i - RADIUS][col + j - RADIUS] over the whole filter.
// M and P are m x n, in row-major order. Elements outside M, the ghost cells, count as zero.
// A block of TILE_WIDTH x TILE_WIDTH threads computes one tile of P.
__global__ void convolution_tiled(const float* M, float* P, int m, int n) {
  __shared__ float Mds[HALO_TILE][HALO_TILE];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row0 = blockIdx.y * TILE_WIDTH;
  int col0 = blockIdx.x * TILE_WIDTH;

  // Load: the tile with its halo has more cells than the block has threads, so each thread
  // loads several cells, TILE_WIDTH apart. Ghost cells become zero.
  for (int i = ty; i < HALO_TILE; i += TILE_WIDTH) {
    for (int j = tx; j < HALO_TILE; j += TILE_WIDTH) {
      int Mrow = row0 + i - RADIUS;
      int Mcol = col0 + j - RADIUS;
      if (Mrow >= 0 && Mrow < m && Mcol >= 0 && Mcol < n) {
        Mds[i][j] = M[Mrow * n + Mcol];
      } else {
        Mds[i][j] = 0.0f;
      }
    }
  }
  __syncthreads();

  // Compute: cell [ty + RADIUS][tx + RADIUS] is the thread's own.
  float Pvalue = 0.0f;
  for (int i = 0; i < WIDTH; ++i) {
    for (int j = 0; j < WIDTH; ++j) {
      Pvalue += F[i][j] * Mds[ty + i][tx + j];
    }
  }

  int row = row0 + ty;
  int col = col0 + tx;
  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
