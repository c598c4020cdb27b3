/*---
# SPDX-License-Identifier: Apache-2.0
title = "Tiled product, coarsened threads"
summary = "Each thread computes COARSE elements of P, TILE_WIDTH columns apart: one tile of M, loaded once, serves COARSE tiles of N, and an element of Mds, read once, serves COARSE sums."
reference = "matmul"
operations = "2 * m * n * k"
phases = "ceildiv(k, TILE_WIDTH)"
epochs_per_phase = 2
phase_length = "TILE_WIDTH"
sizes = { m = 1024, n = 1024, k = 1024 }
rules = [
  { expr = "max(m * k, max(k * n, m * n)) < 2^31 - 1024", say = "the largest matrix has {max(m * k, max(k * n, m * n))} elements; int indices allow fewer than {2^31 - 1024}" },
  { expr = "4 * TILE_WIDTH^2 * (1 + COARSE) <= min(49152, SHARED_BYTES_STATIC)", say = "one tile of M and {COARSE} tiles of N take {4 * TILE_WIDTH^2 * (1 + COARSE)} bytes of shared memory; at most {min(49152, SHARED_BYTES_STATIC)} are allowed" },
]

[tunable.TILE_WIDTH]
default = 32
range = [1, 32]
title = "width of a tile and of the block"

[tunable.COARSE]
default = 2
range = [1, 16]
title = "elements of P that a thread computes"
note = "If TILE_WIDTH is 16 and COARSE is even, a warp stores to two rows of Nds that are in the same banks."

[launch]
block = ["TILE_WIDTH", "TILE_WIDTH"]
grid = ["ceildiv(n, TILE_WIDTH * COARSE)", "ceildiv(m, TILE_WIDTH)"]

[[shared]]
name = "Mds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH"
holds = "M"

[[shared]]
name = "Nds"
rows = "TILE_WIDTH"
columns = "TILE_WIDTH * COARSE"
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
// A block of TILE_WIDTH x TILE_WIDTH threads computes COARSE tiles of P that are side by side, and
// each thread computes the same element of each of these tiles.
__global__ void matmul_coarsened(const float* M, const float* N, float* P, int m, int n, int k) {
  __shared__ float Mds[TILE_WIDTH][TILE_WIDTH];
  __shared__ float Nds[TILE_WIDTH][COARSE * TILE_WIDTH];

  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int row = blockIdx.y * TILE_WIDTH + ty;
  int col0 = blockIdx.x * COARSE * TILE_WIDTH + tx;

  // Only unrolled loops access Pvalue, so that its elements are registers.
  float Pvalue[COARSE];
#pragma unroll
  for (int c = 0; c < COARSE; ++c) {
    Pvalue[c] = 0.0f;
  }

  for (int ph = 0; ph < (k + TILE_WIDTH - 1) / TILE_WIDTH; ++ph) {
    // Load: each thread loads one element of M and COARSE of N, or stores a zero past the edge.
    if (row < m && ph * TILE_WIDTH + tx < k) {
      Mds[ty][tx] = M[row * k + ph * TILE_WIDTH + tx];
    } else {
      Mds[ty][tx] = 0.0f;
    }
#pragma unroll
    for (int c = 0; c < COARSE; ++c) {
      int col = col0 + c * TILE_WIDTH;
      if (ph * TILE_WIDTH + ty < k && col < n) {
        Nds[ty][c * TILE_WIDTH + tx] = N[(ph * TILE_WIDTH + ty) * n + col];
      } else {
        Nds[ty][c * TILE_WIDTH + tx] = 0.0f;
      }
    }
    __syncthreads();

    // Compute: a row of Mds times one column of each tile of Nds.
    for (int i = 0; i < TILE_WIDTH; ++i) {
      float Mvalue = Mds[ty][i];
#pragma unroll
      for (int c = 0; c < COARSE; ++c) {
        Pvalue[c] += Mvalue * Nds[i][c * TILE_WIDTH + tx];
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int c = 0; c < COARSE; ++c) {
    int col = col0 + c * TILE_WIDTH;
    if (row < m && col < n) {
      P[row * n + col] = Pvalue[c];
    }
  }
}
