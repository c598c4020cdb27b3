/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiled product"
summary = "The block loads a tile of M and a tile of N into shared memory, phase by phase, and every thread reads them there."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_WIDTH)"
epochs_per_phase = 2
phase_length = "TILE_WIDTH"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
]

[tunable.TILE_WIDTH]
default = 16
range = [1, 32]
title = "width of a tile and of the block"
note = "From 13 on, each odd width is slower than its even neighbours (H200, m = n = k = 1024). At odd widths the code reads one element of Mds at a time, at even widths two or four."

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "N"

[[operand]]
name = "M"
rows = "m"
columns = "k"

[[operand]]
name = "N"
rows = "k"
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
name = "k"
kind = "scalar"
---*/

// P = M N, where M is m x k, N is k x n and P is m x n, all in row-major order.
// A block of TILE_WIDTH x TILE_WIDTH threads computes one tile of P.
__global__ void matmul_tiled(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col = blockIdx.x * TILE_WIDTH + tx;

  float Pvalue = 0.0f;
  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    // Load: each thread loads one element of M and one of N, or stores a zero past the edge.
    if (row < m && ph * TILE_WIDTH + tx < k) {
      Mds[ty][tx] = M[row * k + ph * TILE_WIDTH + tx];
    } else {
      Mds[ty][tx] = 0.0f;
    }
    if (ph * TILE_WIDTH + ty < k && col < n) {
      Nds[ty][tx] = N[(ph * TILE_WIDTH + ty) * n + col];
    } else {
      Nds[ty][tx] = 0.0f;
    }
    __syncthreads();

    // Compute: a row of Mds times a column of Nds.
    for (int i = 0; i < TILE_WIDTH; ++i) {
      Pvalue += Mds[ty][i] * Nds[i][tx];
    }
    __syncthreads();
  }

  if (row < m && col < n) {
    P[row * n + col] = Pvalue;
  }
}
