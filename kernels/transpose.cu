/*---
# SPDX-License-Identifier: Apache-2.0
title = "Transpose"
summary = "Naive: rows are read and columns are written. Tiled: shared memory transposes each tile, so that reads and writes both go along rows. Padded: also, the columns of a tile are no longer in one bank."
reference = "transpose"
operations = "0"
sizes = { m = 1024, n = 1024 }
rules = [
  { expr = "m * n < 2^31 - 1024", say = "a matrix has {m * n} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.VARIANT]
default = 1
values = [0, 1, 2]
names = ["naive", "tiled", "padded"]

[tunable.TILE_WIDTH]
default = 32
range = [1, 32]
title = "width of a tile and of the block"

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH + (VARIANT == 2)"
holds = "M"

[[operand]]
name = "M"
rows = "m"
columns = "n"

[[operand]]
name = "P"
rows = "n"
columns = "m"
direction = "out"

[[operand]]
name = "m"
kind = "scalar"

[[operand]]
name = "n"
kind = "scalar"
---*/

// P[col][row] = M[row][col], where M is m x n and P is n x m, both in row-major order.
#if VARIANT == 0

__global__ void transpose(const float* M, float* P, int m, int n) {
  int row = blockIdx.y * TILE_WIDTH + threadIdx.y;
  int col = blockIdx.x * TILE_WIDTH + threadIdx.x;

  if (row < m && col < n) {
    P[col * m + row] = M[row * n + col];
  }
}

#else

#define PAD (VARIANT == 2 ? 1 : 0)

__global__ void transpose(const float* M, float* P, int m, int n) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH + PAD];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;
  if (row < m && col < n) {
    Mds[ty][tx] = M[row * n + col];
  }
  __syncthreads();

  // The rows of the block's tile of P are the columns of its tile of M.
  int Prow = blockIdx.x * TILE_WIDTH + ty;
  int Pcol = blockIdx.y * TILE_WIDTH + tx;
  if (Prow < n && Pcol < m) {
    P[Prow * m + Pcol] = Mds[tx][ty];
  }
}

#endif
